cs_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
ld_raw r0.xyzw, l(0), u0.xyzw
dfma r1.xyzw, r0.xyzw, r0.zwxy, r0.xyxy
dfma r1.xy, r1.xyxy, r0.zwzw, r1.zwzw
store_raw u0.xyzw, l(0), r1.xyzw
ret
