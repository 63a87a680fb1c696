cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture3d (float,float,float,float) t0
dcl_resource_structured t1, 16
dcl_uav_structured u0, 16
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 32, 1, 1
ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.xyzw, vThreadID.x, l(0), t1.xyzw
ld_indexable(texture3d)(1,-2,3) r0.xyzw, r0.xyzw, t0.xyzw
store_structured u0.xyzw, vThreadID.x, l(0), r0.xyzw
ret
