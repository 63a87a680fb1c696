cs_5_1
dcl_resource_structured T0[0:2], 4, space=0
dcl_uav_structured U0[0:0], 4, space=0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 8, 1, 1
uge r0.x, vThreadID.x, l(2)
and r0.x, r0.x, l(2)
mov r0.y, l(7)
{before}
ld_structured r0.z, l(0), l(0), T0[r0.x + 0].xxxx{after}
bufinfo r0.y, T0[r0.x + 0].x{after}
iadd r0.y, r0.y, r0.z
{end}
store_structured U0[0].x, vThreadID.x, l(0), r0.y
ret
