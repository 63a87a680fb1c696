cs_5_1
dcl_resource_structured T0[2:4], 4, space=3
dcl_uav_raw U0[0:*], space=0
dcl_uav_structured U1[1:2], 16, space=1
dcl_resource_raw T1[6:7], space=0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 4, 1, 1
and r0.x, vThreadID.x, l(1)
bufinfo r0.y, T0[r0.x + 2].x { nonuniform }
ld_raw r0.z, l(0), T1[7].xxxx
store_raw U0[r0.x + 0].xy { nonuniform }, l(0), r0.yzyy
store_structured U1[r0.x + 1].xyzw, l(0), l(0), r0.xyxy
ret
