cs_5_1
dcl_resource_raw T0[0:*], space=0
dcl_uav_typed_buffer (uint,uint,uint,uint) U0[0:0], space=0
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_raw r0.x, l(4), T0[1].xxxx
store_uav_typed U0[0].xyzw, l(0,0,0,0), r0.xxxx
ret
