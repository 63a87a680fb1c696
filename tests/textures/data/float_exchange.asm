// exchange
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_{declared} (float,float,float,float) u0
dcl_resource_raw t0
dcl_resource_raw t1
dcl_uav_raw u1
dcl_input vThreadID.x
dcl_temps 4
dcl_thread_group 8, 1, 1
ishl r0.x, vThreadID.x, l(4)
ishl r0.y, vThreadID.x, l(2)
ld_raw r1.xyzw, r0.x, t0.xyzw
ld_raw r2.x, r0.y, t1.x
imm_atomic_exch r3.x, u0, r1.xyzw, r2.x
store_raw u1.x, r0.y, r3.x
ret

// beside
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_{declared} (float,float,float,float) u0
dcl_uav_raw u1
dcl_temps 4
dcl_thread_group 1, 1, 1
imm_atomic_exch r0.x, u0, l(0, 0, 0, 0), l(0x40200000)
ld_uav_typed r1.xyzw, l(0, 0, 0, 0), u0.xyzw
store_raw u1.xyzw, l(0), r1.xyzw
store_uav_typed u0.xyzw, l(1, 0, 0, 0), l(-7.5, 1.0, 2.0, 3.0)
ret
