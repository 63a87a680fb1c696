// argument {"register": "cb0", "kind": "constants", "shape": [40], "placement": "null"}
// argument {"register": "cb1", "kind": "constants", "shape": [1], "zero": true}
// argument {"register": "t0", "kind": "raw", "shape": [61], "placement": "empty", "first": 1}
// argument {"register": "t1", "kind": "structured", "shape": [7], "stride": 12, "placement": "null"}
// argument {"register": "t2", "kind": "typed", "shape": [9], "format": "r32_uint", "placement": "view"}
// argument {"register": "u0", "kind": "structured", "shape": [32], "stride": 128}
// dispatch {"guards": "report", "seed": 3, "without": ["robust_buffer_access", "denorm_preserve_64", "rounding_mode_rte_32", "rounding_mode_rte_64"], "worked_around": ["constant_min_max", "float_zeros", "select_signed_zero", "small_uavs_outside"], "denormal_test": "comparison", "sampling": "device", "max_inlined": 40, "groups": [2, 1, 1]}
cs_4_0
dcl_constantbuffer CB0[3], dynamicIndexed
dcl_constantbuffer CB1[1], dynamicIndexed
dcl_resource_raw t0
dcl_resource_structured t1, 12
dcl_resource_buffer (uint,uint,uint,uint) t2
dcl_uav_structured u0, 128
dcl_temps 16
dcl_indexableTemp x1[3], 2
dcl_thread_group 16, 1, 1
loop
uge r4.x, r13.x, l(0x00000000)
breakc_nz r4.x
endloop
ne x1[r1.x + 2].x, l(0x00000000, 0xff7fffff, 0x00000000, 0x00000000), l(0x42fe0000, 0x42fe0000, 0x00000000, 0x7fc00000)
and r4.x, vThreadID.x, l(3)
switch r4.x
switch r4.x
endswitch
break
case l(0x00000000)
if_z r0.x
if_nz r0.x
loop
endloop
loop
endloop
endif
switch r4.x
default
loop
ld_structured r0.y, r13.x, l(0x00000000), t1.xxxx
endloop
case l(0x00000000)
ld r2.yz, r4.xxxx, t2.xyzw
break
loop
endloop
endswitch
movc r2.xyzw, x1[r2.y + 2].xxxx, -|r0.xyzw|, l(0xfffffffe, 0x3f800000, 0x00000021, 0x7fffffff)
endif
endswitch
store_structured u0.xyzw, vThreadID.x, l(0x00000020), r2.xyzw
ret
