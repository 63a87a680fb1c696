cs_5_1
dcl_resource_raw T0[0:2], space=0
dcl_uav_raw U7[7:7], space=0
dcl_input vThreadGroupID.x
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_raw r0.x, l(0), T0[vThreadGroupID.x + 0].xxxx
store_raw U7[7].x, l(0), r0.x
ret
