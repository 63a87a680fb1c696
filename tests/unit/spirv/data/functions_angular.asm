cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_raw r0.x, l(0), u0.xxxx
sincos r0.x, r0.y, r0.x
store_raw u0.xy, l(0), r0.xyxx
ret
