cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
ld_raw r0.xyzw, l(0), u0.xyzw
udiv r1.x, r1.y, r0.x, r0.y
ubfe r1.z, r0.z, r0.w, r0.x
ishl r1.w, r0.x, r0.y
store_raw u0.xyzw, l(0), r1.xyzw
ret
