// argument {"register": "cb0", "kind": "constants", "shape": [3], "placement": "view", "first": 1024}
// argument {"register": "cb1", "kind": "constants", "shape": [1], "zero": true}
// argument {"register": "t0", "kind": "raw", "shape": [61]}
// argument {"register": "t2", "kind": "typed", "shape": [9], "format": "r32g32b32a32_float", "placement": "view", "first": 1}
// argument {"register": "u7", "kind": "texture", "shape": [2, 4, 4], "format": "r16g16b16a16_sint", "dimension": "texture3d"}
// argument {"register": "t4", "kind": "texture", "shape": [4, 8], "format": "r16g16b16a16_float", "dimension": "texture2d", "mips": 3}
// argument {"register": "t7", "kind": "texture", "shape": [2, 4, 8, 4], "format": "r32_uint", "dimension": "texture2dmsarray"}
// argument {"register": "s3", "kind": "sampler", "filter": ["point", "point", "point"], "address": ["mirror_once", "clamp", "border"], "border": [0.0, 0.0, 0.0, 1.0]}
// argument {"register": "u0", "kind": "raw", "shape": [251], "placement": "buffer"}
// argument {"register": "u2", "kind": "structured", "shape": [32], "stride": 128}
// argument {"register": "u3", "kind": "typed", "shape": [61], "format": "r32_uint"}
// argument {"register": "u4", "kind": "structured", "shape": [16], "placement": "view"}
// argument {"register": "u5", "kind": "structured", "shape": [160], "stride": 8, "placement": "buffer", "counter": 0}
// argument {"register": "t2_space1", "kind": "raw", "shape": [40], "placement": "view", "first": 64}
// argument {"register": "t0_space2", "kind": "structured", "shape": [3], "stride": 12, "element": 0}
// argument {"register": "t0_space2", "kind": "structured", "shape": [3], "stride": 12, "element": 1}
// argument {"register": "t0_space2", "kind": "structured", "shape": [3], "stride": 12, "element": 2}
// argument {"register": "t0_space2", "kind": "structured", "shape": [33], "stride": 12, "element": 3}
// argument {"register": "t0_space4", "kind": "texture", "shape": [4, 8], "format": "r32_float", "dimension": "texture2d", "mips": 3, "element": 0}
// argument {"register": "t0_space4", "kind": "texture", "shape": [2, 4], "format": "r32_float", "dimension": "texture2d", "mips": 3, "element": 1}
// argument {"register": "t0_space4", "kind": "texture", "shape": [4, 8], "format": "r8g8b8a8_unorm", "dimension": "texture2d", "mips": 3, "element": 2}
// argument {"register": "s0_space6", "kind": "sampler", "filter": ["point", "point", "point"], "address": ["wrap", "wrap", "wrap"], "element": 0}
// argument {"register": "s0_space6", "kind": "sampler", "filter": ["point", "point", "point"], "address": ["wrap", "wrap", "wrap"], "element": 1}
// argument {"register": "u0_space1", "kind": "raw", "shape": [40], "element": 0}
// argument {"register": "u0_space1", "kind": "raw", "shape": [64], "element": 1}
// argument {"register": "u0_space1", "kind": "raw", "shape": [40], "placement": "view", "first": 64, "element": 2}
// argument {"register": "u0_space3", "kind": "typed", "shape": [1], "format": "r8g8b8a8_uint", "placement": "view", "first": 64}
// argument {"register": "u2_space6", "kind": "structured", "shape": [1], "stride": 8, "placement": "buffer", "counter": 160, "element": 0}
// argument {"register": "u2_space6", "kind": "structured", "shape": [33], "stride": 8, "placement": "buffer", "counter": 160, "element": 1}
// argument {"register": "u2_space6", "kind": "structured", "shape": [1], "stride": 8, "placement": "buffer", "counter": 160, "element": 2}
// argument {"register": "u2_space6", "kind": "structured", "shape": [169], "stride": 8, "placement": "buffer", "counter": 160, "element": 3}
// dispatch {"groups": [1, 1, 2], "guards": "d3d", "seed": 6}
cs_5_1
dcl_constantbuffer CB0[0:0][3], dynamicIndexed, space=0
dcl_constantbuffer CB1[1:1][1], dynamicIndexed, space=0
dcl_resource_raw T0[0:0], space=0
dcl_resource_buffer (float,float,float,float) T2[2:2], space=0
dcl_uav_typed_texture3d (sint,sint,sint,sint) U7[7:7], space=0
dcl_resource_texture2d (float,float,float,float) T4[4:4], space=0
dcl_resource_texture2dmsarray (uint,uint,uint,uint) T7[7:7], space=0
dcl_sampler S3[3:3], mode_default, space=0
dcl_uav_raw U0[0:0], space=0
dcl_uav_structured U2[2:2], 128, space=0
dcl_uav_typed_buffer (uint,uint,uint,uint) U3[3:3], space=0
dcl_uav_structured U4[4:4], 4, space=0
dcl_uav_structured U5[5:5], 8, space=0
dcl_resource_raw T10[2:2], space=1
dcl_resource_structured T11[0:3], 12, space=2
dcl_resource_texture2d (float,float,float,float) T13[0:2], space=4
dcl_sampler S10[0:1], mode_default, space=6
dcl_uav_raw U10[0:2], space=1
dcl_uav_typed_buffer (uint,uint,uint,uint) U12[0:0], space=3
dcl_uav_structured U15[2:5], 8, space=6
dcl_input vThreadID.xyz
dcl_input vThreadGroupID.xyz
dcl_input vThreadIDInGroupFlattened
dcl_temps 16
dcl_indexableTemp x0[5], 4
dcl_thread_group 1, 16, 1
imm_atomic_consume r4.x, U15[r10.x + 2] { nonuniform }
or r4.x, r4.x, l(0xc0000000)
ld_raw r0.yz, r4.x, U10[r10.x + 0].xxxx { nonuniform }
store_structured U5[5].xy, r4.x, l(0), r0.xyzw
