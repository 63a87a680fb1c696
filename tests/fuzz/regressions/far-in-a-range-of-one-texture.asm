// argument {"register": "u2", "kind": "structured", "shape": [32], "stride": 128}
// argument {"register": "t2_space4", "kind": "texture", "shape": [4, 8], "format": "r32_float", "dimension": "texture2d", "whole": true}
// argument {"register": "s3", "kind": "sampler", "filter": ["point", "point", "point"]}
// dispatch {"groups": [2, 1, 1], "guards": "d3d", "seed": 0}
cs_5_1
dcl_sampler S3[3:3], mode_default, space=0
dcl_resource_texture2d (float,float,float,float) T13[2:2], space=4
dcl_uav_structured U2[2:2], 128, space=0
dcl_input vThreadID.x
dcl_input vThreadGroupID.x
dcl_temps 2
dcl_thread_group 16, 1, 1
itof r0.x, vThreadID.x
mul r0.x, r0.x, l(1e9)
sample_l r1.xyzw, r0.xxxx, T13[vThreadGroupID.x + 2].xyzw, S3[3], l(0)
store_structured U2[2].xyzw, vThreadID.x, l(0), r1.xyzw
ret
