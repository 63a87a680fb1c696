// Ranges of one register and of several, named by an index that is computed
cs_5_1
dcl_constantbuffer CB0[0:0][2], dynamicIndexed, space=0
dcl_constantbuffer CB1[1:3][2], dynamicIndexed, space=0
dcl_sampler S0[0:0], mode_default, space=0
dcl_resource_texture2d (float,float,float,float) T0[0:0], space=0
dcl_resource_raw T1[1:1], space=0
dcl_resource_buffer (float,float,float,float) T2[2:3], space=0
dcl_resource_structured T3[4:6], 16, space=0
dcl_uav_structured U0[0:0], 16, space=0
dcl_uav_structured_opc U1[1:1], 4, space=0
dcl_uav_structured_opc U2[2:4], 4, space=0
dcl_uav_typed_texture2d (float,float,float,float) U3[5:6], space=0
dcl_input vThreadID.xy
dcl_temps 4
dcl_thread_group 4, 4, 1
mov r0.xyzw, vThreadID.xyxy
sample_l r1.xyzw, l(0.5, 0.25, 0.0, 0.0), T0[r0.x + 0].xyzw, S0[r0.y + 0], r0.z
resinfo r2.xyzw, l(0), T0[r0.x + 0].xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
add r1.xyzw, r1.xyzw, CB0[r0.y + 0][1].xyzw
add r1.xyzw, r1.xyzw, CB1[r0.y + 1][r0.x].xyzw
add r1.xyzw, r1.xyzw, CB1[2][0].xyzw
ld_raw r2.x, r0.w, T1[r0.x + 1].xxxx
ld r3.xyzw, r0.xxxx, T2[r0.y + 2].xyzw
add r1.xyzw, r1.xyzw, r3.xyzw
ld_structured r3.xyzw, r0.x, l(0), T3[r0.y + 4].xyzw
add r1.xyzw, r1.xyzw, r3.xyzw
store_uav_typed U3[r0.x + 5].xyzw, r0.xyyy, r1.xyzw
imm_atomic_alloc r2.y, U1[r0.x + 1]
imm_atomic_consume r2.z, U1[r0.x + 1]
imm_atomic_alloc r2.w, U2[r0.x + 2]
store_structured U2[r0.x + 2].x, r2.w, l(0), r2.x
store_structured U1[r0.y + 1].x, r2.y, l(0), r2.z
atomic_iadd U1[r0.y + 1], r0.xyxx, r2.z
store_structured U0[r0.x + 0].xyzw, r0.x, l(0), r1.xyzw
ret
