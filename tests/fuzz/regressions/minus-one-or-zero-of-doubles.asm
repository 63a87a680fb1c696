// argument {"register": "u2", "kind": "structured", "shape": [32], "stride": 16}
// dispatch {"groups": [2, 1, 1], "guards": "d3d", "seed": 0}
cs_5_0
dcl_globalFlags enableDoublePrecisionFloatOps | enable11_1DoubleExtensions
dcl_uav_structured u2, 16
dcl_input vThreadID.xyz
dcl_temps 1
dcl_thread_group 16, 1, 1
dmovc r0.xyzw, vThreadID.xxxx, d(0x00000000, 0x00000000, 0x00000000, 0x3ff00000), d(0x00000000, 0xbff00000, 0x00000000, 0x80000000)
store_structured u2.xyzw, vThreadID.x, l(0x00000000), r0.xyzw
ret
