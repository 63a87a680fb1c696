cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 12
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 64, 1, 1
ld_structured r0.xy, vThreadID.x, l(4), u0.xyxx
add r0.xy, r0.xyxx, r0.xyxx
store_structured u0.xy, vThreadID.x, l(4), r0.xyxx
ret
