cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 4
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 2
dcl_tgsm_raw g0, 32
dcl_thread_group 8, 1, 1
ult r0.x, vThreadID.x, l(4)
#line 7 "sums.hlsl"
ld_structured_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed) r0.y, vThreadID.x, l(0), t0.xxxx
and r0.y, r0.y, r0.x
{}
store_structured u0.x, vThreadID.x, l(0), r0.y
ret
