cs_5_0
dcl_resource_structured t0, 16
dcl_uav_structured u0, 24
dcl_input vThreadID.x
dcl_temps 5
dcl_thread_group 1, 1, 1
ld_structured r0.xyzw, vThreadID.x, l(0), t0.xyzw
min r1.x, r0.x, r0.y
max r1.y, r0.x, r0.y
mov_sat r1.z, r0.x
mul_sat r1.w, r0.y, l(1.0)
dmin r2.xy, r0.xyxy, r0.zwzw
dmax r2.zw, r0.xyxy, r0.zwzw
store_structured u0.xyzw, vThreadID.x, l(0), r1.xyzw
mov r2.x, r2.y
store_structured u0.xy, vThreadID.x, l(16), r2.xwxx
ret
