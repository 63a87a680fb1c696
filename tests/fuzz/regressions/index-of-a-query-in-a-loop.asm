// argument {"register": "cb0", "kind": "constants", "shape": [3]}
// argument {"register": "cb1", "kind": "constants", "shape": [1], "zero": true}
// argument {"register": "u0", "kind": "raw", "shape": [251]}
// argument {"register": "u2", "kind": "structured", "shape": [32], "stride": 128}
// argument {"register": "u0_space3", "kind": "typed", "shape": [1], "format": "r32_float", "element": 0}
// dispatch {"worked_around": ["descriptors_in_loops"], "denormal_test": "comparison", "groups": [2, 1, 1], "guards": "d3d", "seed": 0}
cs_5_1
dcl_constantbuffer CB0[0:0][3], dynamicIndexed, space=0
dcl_constantbuffer CB1[1:1][1], dynamicIndexed, space=0
dcl_uav_raw U0[0:0], space=0
dcl_uav_structured U2[2:2], 128, space=0
dcl_uav_typed_buffer (float,float,float,float) U12[0:1], space=3
dcl_tgsm_raw g0, 256
dcl_tgsm_structured g1, 12, 16
dcl_tgsm_raw g2, 64
dcl_input vThreadID.xyz
dcl_input vThreadIDInGroupFlattened
dcl_temps 16
dcl_thread_group 16, 1, 1
ult r9.y, vThreadID.x, CB1[1][0].x
mov r5.xyzw, r9.yyyy
mov r1.xyzw, CB0[0][0].xxxx
imul null, r4.x, vThreadIDInGroupFlattened.x, l(16)
store_raw g0.xyzw, r4.x, r0.xxxx
store_structured g1.xyz, vThreadIDInGroupFlattened.x, l(0), r0.xxxx
imul null, r4.x, vThreadIDInGroupFlattened.x, l(4)
store_raw g2.x, r4.x, r0.x
sync_g_t
mov r13.x, l(0)
loop
uge r4.x, r13.x, l(0x00000000)
breakc_nz r4.x
iadd r13.x, r13.x, l(1)
sync_uglobal_g_t
ne r4.xyzw, r5.xyzw, r5.xyzw
movc r5.xyzw, r4.xyzw, l(0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000), r5.xyzw
and r10.x, r0.x, l(0x00000003)
and r4.x, r0.x, l(0)
imad r4.x, vThreadID.x, l(1), r4.x
store_uav_typed U12[r10.x + 0].xyzw { nonuniform }, r4.xxxx, r5.xxxx
and r4.x, r0.x, l(0x0000001f)
imad r4.x, vThreadID.x, l(32), r4.x
atomic_and U0[0], r4.x, r0.x
sync_uglobal_g_t
endloop
sync_uglobal_g_t
store_structured U2[2].xyzw, vThreadID.x, l(0x00000000), r0.xyzw
store_structured U2[2].xyzw, vThreadID.x, l(0x00000010), r1.xyzw
ne r4.xyzw, r5.xyzw, r5.xyzw
movc r5.xyzw, r4.xyzw, l(0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000), r5.xyzw
store_structured U2[2].xyzw, vThreadID.x, l(0x00000040), r5.xyzw
ret
