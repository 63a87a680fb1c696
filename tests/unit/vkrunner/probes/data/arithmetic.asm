cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_raw r0.xy, l(0), u0.xyxx
add r0.x, r0.x, r0.y
store_raw u0.x, l(0), r0.x
ret
