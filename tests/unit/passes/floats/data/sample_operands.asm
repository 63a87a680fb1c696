cs_5_0
dcl_sampler s0, mode_default
dcl_resource_raw t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_resource_texture2darray (float,float,float,float) t2
dcl_resource_texturecube (float,float,float,float) t3
dcl_uav_raw u0
dcl_input vThreadID.xy
dcl_input vThreadGroupID.x
dcl_input vThreadIDInGroup.x
dcl_temps 3
dcl_thread_group 8, 8, 1
ld_raw r0.xyzw, l(0), t0.xyzw
utof r1.xyzw, vThreadID.xyxy
