cs_5_1
dcl_resource_structured T0[0:2], 4, space=0
dcl_uav_structured U0[0:0], 4, space=0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 8, 1, 1
ld_structured r0.x, l(0), l(0), T0[vThreadID.x + 0].xxxx { nonuniform }
store_structured U0[0].x, vThreadID.x, l(0), r0.x
ret
