cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB1[3], immediateIndexed
dcl_resource_raw t2
dcl_resource_structured t3, 20
dcl_uav_structured u0, 8
dcl_uav_typed_buffer (uint,uint,uint,uint) u4
dcl_input vThreadID.x
dcl_temps 1
dcl_tgsm_raw g0, 48
dcl_tgsm_structured g1, 8, 4
dcl_thread_group 4, 2, 1
imm_atomic_alloc r0.x, u0
ld_raw r0.y, l(0), t2.x
ld_structured r0.z, r0.x, l(4), t3.x
iadd r0.y, r0.y, cb1[2].x
iadd r0.y, r0.y, r0.z
store_structured u0.x, r0.x, l(0), r0.y
store_uav_typed u4.xyzw, r0.xxxx, r0.yyyy
ret
