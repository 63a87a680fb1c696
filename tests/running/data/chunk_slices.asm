
dcl_resource_structured t0, 4
dcl_uav_structured u0, 4
dcl_uav_structured u1, 4
ld_structured r0.x, vThreadID.x, l(0), t0.x
store_structured u0.x, vThreadID.x, l(0), r0.x
iadd r0.x, r0.x, l(1)
store_structured u1.x, vThreadID.x, l(0), r0.x
