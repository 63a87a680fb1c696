cs_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
ld_raw r0.xyzw, l(0), u0.xyzw
f32tof16 r1.x, r0.x
dadd r0.xy, r0.xyxy, r0.zwzw
store_raw u0.xyz, l(0), r0.xyxx
store_raw u0.x, l(8), r1.x
ret
