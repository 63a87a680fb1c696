// argument {"register": "u2", "kind": "structured", "shape": [32], "stride": 16}
// dispatch {"groups": [2, 1, 1], "guards": "d3d", "seed": 0}
cs_5_0
dcl_globalFlags enableDoublePrecisionFloatOps
dcl_uav_structured u2, 16
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 16, 1, 1
iadd r0.x, vThreadID.x, l(0x80000000)
ftod r1.xy, r0.xxxx
ishl r2.x, vThreadID.x, l(20)
iadd r2.y, r2.x, l(0x37a00000)
mov r2.x, l(0)
dtof r1.zw, r2.xyxy
store_structured u2.xyzw, vThreadID.x, l(0x00000000), r1.xyzw
ret
