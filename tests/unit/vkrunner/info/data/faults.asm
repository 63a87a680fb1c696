cs_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texturecube (float,float,float,float) t0
dcl_uav_typed_buffer (float,float,float,float) u0
dcl_temps 1
dcl_thread_group 1, 1, 1
sample_l r0.xyzw, l(1.0, 0, 0, 0), t0.xyzw, s0, l(0)
store_uav_typed u0.xyzw, l(0, 0, 0, 0), r0.xyzw
ret
