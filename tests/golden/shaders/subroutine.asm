cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 8, 1, 1
mov r0.x, vThreadID.x
mov r1.x, l(3)
callc_nz vThreadID.x, label0
iadd r0.x, r0.x, r1.x
store_raw u0.x, l(0), r0.x
ret
label label0
ishl r0.x, r0.x, l(1)
ret
