cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured_opc u0, 4
dcl_uav_structured u1, 8
dcl_input vThreadIDInGroupFlattened
dcl_temps 1
dcl_thread_group 4, 1, 1
imm_atomic_alloc r0.x, u0
imm_atomic_consume r0.y, u0
store_structured u1.xy, vThreadIDInGroupFlattened.x, l(0), r0.xyxx
store_structured u0.x, l(1), l(0), l(5)
ret
