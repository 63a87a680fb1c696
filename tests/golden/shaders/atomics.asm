cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 64, 1, 1
atomic_umax u0, l(0), vThreadID.x
imm_atomic_iadd r0.x, u0, l(4), l(1)
ishl r0.y, r0.x, l(2)
imm_atomic_cmp_exch r0.z, u0, r0.y, r0.x, vThreadID.x
store_raw u0.x, l(8), r0.z
ret
