cs_5_0
dcl_sampler s0, mode_default
dcl_sampler s3, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_uav_structured u0, 16
dcl_temps 2
dcl_thread_group 1, 1, 1
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t0.xyzw, s0, l(0)
sample_l_indexable(texture2d)(float,float,float,float) r1.xyzw, l(0,0,0,0), t0.xyzw, s3, l(0)
add r0.xyzw, r0.xyzw, r1.xyzw
store_structured u0.xyzw, l(0), l(0), r0.xyzw
ret
