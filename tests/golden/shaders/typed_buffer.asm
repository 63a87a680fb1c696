cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_buffer (float,float,float,float) t0
dcl_uav_typed_buffer (uint,uint,uint,uint) u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 64, 1, 1
ld r0.xyzw, vThreadID.xxxx, t0.xyzw
ftou r0.xyzw, r0.xyzw
store_uav_typed u0.xyzw, vThreadID.xxxx, r0.xyzw
ret
