cs_5_0
dcl_constantbuffer cb0[2], immediateIndexed
dcl_constantbuffer cb1[2], immediateIndexed
dcl_constantbuffer cb2[2], immediateIndexed
dcl_constantbuffer cb3[4], dynamicIndexed
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 4, 1, 1
iadd r0.xyzw, cb0[0].xyzw, cb1[1].xyzw
iadd r0.xyzw, r0.xyzw, cb2[1].xyzw
mov r1.x, vThreadID.x
iadd r0.xyzw, r0.xyzw, cb3[r1.x + 0].xyzw
store_raw u0.xyzw, l(0), r0.xyzw
ret
