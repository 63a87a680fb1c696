cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadIDInGroupFlattened
dcl_temps 1
dcl_tgsm_structured g0, 4, 64
dcl_thread_group 64, 1, 1
ishl r0.x, vThreadIDInGroupFlattened.x, l(2)
ld_raw r0.y, r0.x, u0.x
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.y
sync_g_t
iadd r0.z, l(63), -vThreadIDInGroupFlattened.x
ld_structured r0.y, r0.z, l(0), g0.x
store_raw u0.x, r0.x, r0.y
ret
