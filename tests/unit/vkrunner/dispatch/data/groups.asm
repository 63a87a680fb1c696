cs_5_0
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 1
dcl_thread_group 8, 4, 3
imad r0.x, vThreadID.y, l(64), vThreadID.x
imad r0.x, vThreadID.z, l(1024), r0.x
ishl r0.x, r0.x, l(2)
store_raw u0.x, r0.x, l(1)
ret
