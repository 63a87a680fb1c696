// argument {"register": "u2", "kind": "structured", "shape": [32], "stride": 4}
// dispatch {"groups": [2, 1, 1], "guards": "d3d", "seed": 0}
cs_5_0
dcl_uav_structured u2, 4
dcl_input vThreadID.xyz
dcl_temps 1
dcl_thread_group 16, 1, 1
mov r0.x, l(0)
if_nz vThreadID.x
  mov r0.x, l(-1.0)
endif
store_structured u2.x, vThreadID.x, l(0x00000000), r0.x
ret
