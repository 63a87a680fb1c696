
dcl_thread_group 64, 1, 1
dcl_resource_buffer (uint,uint,uint,uint) t0
dcl_uav_typed_buffer (uint,uint,uint,uint) u0
ld_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, vThreadID.xxxx, t0.xyzw
iadd r0.x, r0.x, l(1)
store_uav_typed u0.xyzw, vThreadID.xxxx, r0.xxxx
