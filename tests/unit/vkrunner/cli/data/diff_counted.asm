cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured_opc u0, 4
dcl_temps 1
dcl_thread_group TIMES, 1, 1
imm_atomic_alloc r0.x, u0
store_structured u0.x, r0.x, l(0), l(7)
ret
