cs_5_0
dcl_resource_texture2d{0} (uint,uint,uint,uint) t0
dcl_uav_structured u0, 4
dcl_input vThreadID.xyz
dcl_temps 1
dcl_thread_group 1, 1, 1
mov r0.xyz, vThreadID.xyzx
mov r0.w, l(0)
ld_indexable(texture2d{0})(uint,uint,uint,uint) r0.x, r0.xyzw, t0.xyzw
store_structured u0.x, vThreadID.x, l(0), r0.x
ret
