cs_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2darray (float,float,float,float) t0
dcl_resource_texturecube (float,float,float,float) t1
dcl_uav_raw u0
dcl_uav_typed_texture2d (float,float,float,float) u1
dcl_input vThreadID.xy
dcl_temps 4
dcl_thread_group 1, 1, 1
ld_raw r0.xyzw, vThreadID.x, u0.xyzw
sample_l_indexable(texture2darray)(float,float,float,float) r1.xyzw, r0.xyzx, t0.xyzw, s0, r0.w
sample_d_indexable(texture2darray)(float,float,float,float) r2.xyzw, r0.xyzx, t0.xyzw, s0, r0.xyxx, r0.zwzz
sample_l_indexable(texturecube)(float,float,float,float) r3.xyzw, r0.xyzx, t1.xyzw, s0, l(0)
mad r1.xyzw, r1.xyzw, r2.xyzw, r3.xyzw
sincos r0.x, null, r1.w
f32tof16 r0.y, r0.w
exp r1.z, r1.z
utof r0.y, r0.y
mad r1.xy, r0.xyxx, r1.zwzz, r1.xyxx
store_uav_typed u1.xyzw, vThreadID.xyyy, r1.xyzw
store_raw u0.x, vThreadID.x, r1.x
ret
