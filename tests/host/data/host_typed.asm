
dcl_resource_buffer (sint,sint,sint,sint) t0
dcl_uav_typed_buffer (uint,uint,uint,uint) u0
dcl_thread_group 4, 1, 1
ld_indexable(buffer)(sint,sint,sint,sint) r0.x, vThreadID.xxxx, t0.xyzw
iadd r0.x, r0.x, l(5)
store_uav_typed u0.xyzw, vThreadID.xxxx, r0.xxxx
