cs_4_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB2[13], dynamicIndexed
dcl_sampler s0, mode_default
dcl_resource_structured t0, 24
dcl_resource_texture2d (float,float,float,float) t3
dcl_uav_structured u0, 24
dcl_input vThreadIDInGroupFlattened
dcl_input vThreadID.xy
dcl_temps 3
dcl_tgsm_structured g0, 16, 64
dcl_thread_group 64, 1, 1
utof r0.xy, vThreadID.xyxx
sample_l r0.xyzw, r0.xyxx, t3.xyzw, s0, l(0x00000000)
store_structured g0.xyz, vThreadIDInGroupFlattened.x, l(0x00000000), r0.xyzx
sync_g_t
xor r0.x, vThreadIDInGroupFlattened.x, l(0x00000001)
ld_structured r0.xyz, r0.x, l(0x00000000), g0.xyzx
ld_structured r1.xyz, vThreadID.x, l(0x00000000), t0.xyzx
mul r2.xyz, r1.yyyy, cb2[1].xyzx
mad r1.xyw, cb2[0].xyxz, r1.xxxx, r2.xyxz
mad r1.xyz, cb2[2].xyzx, r1.zzzz, r1.xywx
and r0.w, vThreadID.x, l(0x00000001)
ishl r0.w, cb2[r0.w + 11].x, l(0x00000001)
mad r1.xyz, cb2[r0.w + 5].xyzx, cb2[10].wwww, r1.xyzx
add r0.xyz, r0.xyzx, r1.xyzx
mov r1.xy, vThreadID.xyxx
mov r1.zw, l(0x00000000,0x00000000,0x00000000,0x00000000)
ld_aoffimmi(1,-2,0) r1.xyzw, r1.xyzw, t3.xyzw
add r0.xyz, r0.xyzx, r1.xyzx
movc r0.w, cb2[10].z, cb2[3].y, l(0x3f800000)
store_structured u0.xyzw, vThreadID.x, l(0x00000000), r0.xyzw
ld_structured r0.xy, vThreadID.x, l(0x00000010), t0.xyxx
store_structured u0.xy, vThreadID.x, l(0x00000010), r0.xyxx
ret 
// Approximately 23 instruction slots used
