// argument {"register": "cb0", "kind": "constants", "shape": [2]}
// argument {"register": "cb1", "kind": "constants", "shape": [1], "zero": true}
// argument {"register": "t4", "kind": "texture", "shape": [4, 8], "format": "r32_float", "dimension": "texture2d", "mips": 3}
// argument {"register": "s2", "kind": "sampler", "filter": ["linear", "linear", "linear"], "address": ["clamp", "clamp", "clamp"]}
// argument {"register": "u1", "kind": "structured", "shape": [63], "stride": 12, "placement": "empty", "first": 64}
// argument {"register": "u2", "kind": "structured", "shape": [32], "stride": 128}
// argument {"register": "cb0_space5", "kind": "constants", "shape": [1], "element": 0}
// dispatch {"seed": 7, "without": [], "max_inlined": 40, "groups": [2, 1, 1], "guards": "d3d"}
cs_5_1
dcl_constantbuffer CB0[0:0][3], dynamicIndexed, space=0
dcl_constantbuffer CB1[1:1][1], dynamicIndexed, space=0
dcl_resource_texture2d (float,float,float,float) T4[4:4], space=0
dcl_sampler S2[2:2], mode_default, space=0
dcl_uav_structured U1[1:1], 12, space=0
dcl_uav_structured U2[2:2], 128, space=0
dcl_constantbuffer CB10[0:1][3], dynamicIndexed, space=5
dcl_temps 16
dcl_thread_group 16, 1, 1
mov r1.xyzw, CB0[0][0].xxxx
if_z r1.x
ige r3.xyz, vThreadID.xxxx, r1.xyzw
and r10.x, l(1), l(0x00000003)
mov r3.yw, CB10[r10.x + 0][r1.x + 0].xwxw
loop
uge r4.x, r13.x, l(0x00000002)
breakc_nz r4.x
iadd r13.x, r13.x, l(1)
if_nz r3.y
store_structured U1[1].x, r4.x, r4.y, CB0[0][r0.w + 2].yxyz
endif
endloop
and r4.xyz, r3.wxyx, l(15,7,3,0)
mul r4.xyz, r4.xyzx, l(0x3e000000, 0x3e800000, 0x3f800000, 0x00000000)
gather4 r6.z, r4.xyzw, T4[4].wzzw, S2[2].x
loop
if_nz r4.x
break
endif
endloop
endif
store_structured U2[2].xyzw, vThreadID.x, l(0x00000050), r6.xyzw
ret
