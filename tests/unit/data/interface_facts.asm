cs_5_0
dcl_resource_buffer (uint,uint,uint,uint) t0
dcl_uav_typed_buffer (sint,sint,sint,sint) u0
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_indexable(buffer)(uint,uint,uint,uint) r0.x, l(0, 0, 0, 0), t0.xyzw
atomic_iadd u0, l(0), r0.x
ret
