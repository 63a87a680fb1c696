cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 64, 1, 1
ishl r1.x, vThreadID.x, l(4)
ld_raw r0.xyzw, r1.x, t0.xyzw
store_raw u0.xyzw, r1.x, r0.xyzw
ret
