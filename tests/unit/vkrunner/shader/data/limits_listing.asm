cs_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps
dcl_uav_typed_buffer (uint,uint,uint,uint) u0
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_uav_typed_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, l(0,0,0,0), u0.xyzw
dadd r0.xy, r0.xyxy, r0.zwzw
store_uav_typed u0.xyzw, l(0,0,0,0), r0.xyzw
ret
