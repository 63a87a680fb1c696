cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 12
dcl_uav_structured u0, 48
dcl_input vThreadID.x
dcl_temps 5
dcl_thread_group 64, 1, 1
ld_structured r0.xyz, vThreadID.x, l(0), t0.xyzx
mul r1.x, r0.x, r0.y
add r1.y, r0.x, r0.y
mul r2.x, r1.x, r1.y
lt r2.y, r1.x, r0.z
add r2.z, r1.y, |r0.z|
add r2.w, r1.x, l(1.0)
store_structured u0.xyzw, vThreadID.x, l(0), r2.xyzw
sqrt r3.x, r1.x
add r3.x, r3.x, |r0.z|
ftoi r3.y, r1.y
mad r3.z, r0.x, r0.y, r1.y
ge r3.z, r3.z, r0.z
movc r3.w, r2.y, r1.y, r1.x
eq r3.w, r3.w, r0.z
store_structured u0.xyzw, vThreadID.x, l(16), r3.xyzw
mul r4.x, r1.y, r1.y
add r4.x, r4.x, r1.x
mul r4.y, r1.y, r0.z
add r4.z, |r4.y|, r4.x
round_ni r4.w, r1.y
add r4.w, r4.w, l(2.0)
store_structured u0.xyzw, vThreadID.x, l(32), r4.xyzw
ret
