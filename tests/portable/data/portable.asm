cs_5_0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 4, 1, 1
ishl r0.x, vThreadID.x, l(2)
imul null, r0.y, vThreadID.x, vThreadID.x
store_raw u0.x, r0.x, r0.y
ret
