// argument {"register": "t3", "kind": "texture", "shape": [4, 8], "format": "d32_float", "dimension": "texture2d", "mips": 3, "whole": true}
// argument {"register": "u2", "kind": "structured", "shape": [32], "stride": 128, "whole": true}
// dispatch {"groups": [2, 1, 1], "guards": "d3d", "seed": 0}
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t3
dcl_uav_structured u2, 128
dcl_input vThreadID.xyz
dcl_temps 13
dcl_thread_group 16, 1, 1
and r4.xyzw, r0.xyzw, l(0x0000000f, 0x00000007, 0x00000003, 0x00000003)
ld_s_indexable(texture2d)(float,float,float,float) r5.x, r4.w, r4.xyzw, t3.xxxx
store_structured u2.xyzw, vThreadID.x, l(0x00000040), r5.xyzw
ret
