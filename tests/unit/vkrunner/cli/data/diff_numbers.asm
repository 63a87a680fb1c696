cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 4, 1, 1
itof r0.x, vThreadID.x
add r0.x, r0.x, l(-2.0)
OPERATION
store_structured u0.x, vThreadID.x, l(0), r0.x
ret
