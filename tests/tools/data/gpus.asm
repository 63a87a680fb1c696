cs_5_1
    dcl_resource_texture2d (float,float,float,float) T0[0:4], space=2
    dcl_uav_raw U0[0:0], space=0
    dcl_temps 1
    dcl_thread_group 1, 1, 1
    ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0, 0, 0, 0), T0[3].xyzw
    store_raw U0[0].x, l(0), r0.x
    ret
