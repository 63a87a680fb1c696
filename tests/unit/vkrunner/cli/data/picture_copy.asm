cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u0
dcl_input vThreadID.xy
dcl_temps 1
dcl_thread_group 4, 2, 1
utof r0.xy, vThreadID.xyxx
mul r0.xy, r0.xyxx, l(0.25, 0.5, 0, 0)
mov r0.zw, l(0, 0, 1.0, 0)
store_uav_typed u0.xyzw, vThreadID.xyyy, r0.xyzw
ret
