// argument {"register": "t0", "kind": "raw", "shape": [61]}
// argument {"register": "u2", "kind": "structured", "shape": [32], "stride": 128}
// dispatch {"denormal_test": "comparison", "groups": [2, 1, 1], "guards": "d3d", "seed": 0}
cs_5_0
dcl_resource_raw t0
dcl_uav_structured u2, 128
dcl_input vThreadID.xyz
dcl_temps 16
dcl_thread_group 16, 1, 1
if_nz vThreadID.x
ld_raw r0.x, r0.x, t0.xxxx
else
mov r13.x, l(0)
loop
uge r4.x, r13.x, l(0x00000000)
retc_nz r4.x
iadd r13.x, r13.x, l(1)
endloop
endif
store_structured u2.xyzw, vThreadID.x, l(0x00000000), r0.xyzw
ret
