cs_5_0
dcl_uav_typed_buffer (uint,uint,uint,uint) u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 4, 1, 1
ld_uav_typed_indexable(buffer)(uint,uint,uint,uint) r0.x, vThreadID.xxxx, u0.xyzw
iadd r0.x, r0.x, l(5)
store_uav_typed u0.xyzw, vThreadID.xxxx, r0.xxxx
ret
