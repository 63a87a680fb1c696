cs_5_0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 4, 1, 1
iadd r0.x, vThreadID.x, l(1)
store_raw u0.x, l(0), r0.x
ret
