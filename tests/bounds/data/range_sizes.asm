cs_5_1
{declaration}, space=1
dcl_resource_structured T0[0:0], 16, space=0
dcl_uav_structured U0[0:0], 4, space=0
dcl_input vThreadID.x
dcl_temps 4
dcl_thread_group {threads}, 1, 1
ld_structured r0.xyzw, vThreadID.x, l(0), T0[0].xyzw
iadd r1.x, vThreadID.x, l(1000)
mov r2.x, l(7)
uge r3.x, vThreadID.x, l({first})
if_nz r3.x
  {line}
endif
store_structured U0[0].x, vThreadID.x, l(0), r2.x
ret
