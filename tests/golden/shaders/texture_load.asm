cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_uav_structured u0, 16
dcl_input vThreadID.xy
dcl_temps 1
dcl_thread_group 8, 8, 1
mov r0.xy, vThreadID.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi(1,-1,0) r0.xyzw, r0.xyzw, t0.xyzw
store_structured u0.xyzw, vThreadID.x, l(0), r0.xyzw
ret
