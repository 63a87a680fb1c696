cs_5_0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 8
dcl_thread_group 16, 1, 1
mov r0.xyzw, l(0, 0, 0, 0)
ishl r7.x, vThreadID.x, l(2)
