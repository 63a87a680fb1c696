cs_5_0
dcl_globalFlags refactoringAllowed
dcl_input vThreadID.xyz
dcl_temps 3
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2darray (uint,uint,uint,uint) t1
dcl_resource_texture2d (float,float,float,float) t2
dcl_uav_typed_texture2d (float,float,float,float) u0
dcl_uav_typed_texture3d (uint,uint,uint,uint) u1
dcl_thread_group 4, 2, 1
utof r0.xy, vThreadID.xyxx
add r0.xy, r0.xyxx, l(0.5, 0.5, 0, 0)
mul r0.xy, r0.xyxx, l(0.25, 0.5, 0, 0)
mov r0.zw, l(0, 0, 0, 0)
sample_l_indexable(texture2d)(float,float,float,float) r1.xyzw, r0.xyxx, t0.xyzw, s0, l(0)
sample_c_lz_indexable(texture2d)(float,float,float,float) r2.x, r0.xyxx, t2.xxxx, s1, l(0.5)
mov r1.w, r2.x
store_uav_typed u0.xyzw, vThreadID.xyyy, r1.xyzw
mov r2.xyz, vThreadID.xyzx
mov r2.w, l(0)
ld_indexable(texture2darray)(uint,uint,uint,uint) r2.x, r2.xyzw, t1.xyzw
iadd r2.x, r2.x, l(7)
store_uav_typed u1.xyzw, vThreadID.xyzz, r2.xxxx
ret
