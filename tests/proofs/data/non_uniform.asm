// declarations
cs_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[0:3][2], dynamicIndexed, space=0
dcl_sampler S0[0:3], mode_default, space=0
dcl_resource_raw T0[0:3], space=0
dcl_resource_structured T1[4:7], 16, space=0
dcl_resource_buffer (float,float,float,float) T2[8:11], space=0
dcl_resource_texture2d (float,float,float,float) T3[12:15], space=0
dcl_uav_raw U0[0:3], space=0
dcl_uav_typed_texture2d (uint,uint,uint,uint) U1[4:7], space=0
dcl_uav_typed_buffer (uint,uint,uint,uint) U2[8:11], space=0
dcl_uav_raw U3[12:12], space=0
dcl_resource_texture2dms(4) (float,float,float,float) T4[16:19], space=0
dcl_sampler S1[4:7], mode_comparison, space=0
dcl_uav_structured_opc U4[13:16], 4, space=0
dcl_uav_structured U5[17:20], 16, space=0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 4, 1, 1
mov r0.x, vThreadID.x

// instructions, each by itself
ld_raw r1.x, l(4), T0[r0.x + 0].xxxx { nonuniform }
ld_structured r1.xyzw, l(1), l(0), T1[r0.x + 4].xyzw { nonuniform }
ld r1.xyzw, l(1, 1, 1, 1), T2[r0.x + 8].xyzw { nonuniform }
ld r1.xyzw, l(1, 1, 0, 0), T3[r0.x + 12].xyzw { nonuniform }
sample_l r1.xyzw, l(0.5, 0.5, 0, 0), T3[r0.x + 12].xyzw { nonuniform }, S0[1], l(0)
sample_l r1.xyzw, l(0.5, 0.5, 0, 0), T3[12].xyzw, S0[r0.x + 0] { nonuniform }, l(0)
sample_l r1.xyzw, l(0.5, 0.5, 0, 0), T3[r0.x + 12].xyzw { nonuniform }, S0[r0.x + 0] { nonuniform }, l(0)
bufinfo r1.x, T0[r0.x + 0].x { nonuniform }
resinfo r1.xyzw, l(0), T3[r0.x + 12].xyzw { nonuniform }
mov r1.xyzw, CB0[r0.x + 0][1].xyzw { nonuniform }
store_raw U0[r0.x + 0].x { nonuniform }, l(4), r0.x
atomic_iadd U0[r0.x + 0] { nonuniform }, l(8), r0.x
store_uav_typed U1[r0.x + 4].xyzw { nonuniform }, l(1, 1, 1, 1), r0.xxxx
atomic_iadd U1[r0.x + 4] { nonuniform }, l(1, 1, 1, 1), r0.x
store_uav_typed U2[r0.x + 8].xyzw { nonuniform }, l(1, 1, 1, 1), r0.xxxx
atomic_iadd U2[r0.x + 8] { nonuniform }, l(1, 1, 1, 1), r0.x
imm_atomic_exch r1.x, U0[r0.x + 0] { nonuniform }, l(8), r0.x
ld_uav_typed r1.xyzw, l(1, 1, 1, 1), U1[r0.x + 4].xyzw { nonuniform }
ld_uav_typed r1.xyzw, l(1, 1, 1, 1), U2[r0.x + 8].xyzw { nonuniform }
resinfo r1.xyzw, l(0), U1[r0.x + 4].xyzw { nonuniform }
bufinfo r1.x, T2[r0.x + 8].x { nonuniform }
store_structured U5[r0.x + 17].x { nonuniform }, l(0), l(4), r0.x
imm_atomic_alloc r1.x, U4[r0.x + 13] { nonuniform }
imm_atomic_consume r1.x, U4[r0.x + 13] { nonuniform }
ldms r1.xyzw, l(1, 1, 0, 0), T4[r0.x + 16].xyzw { nonuniform }, l(1)
sampleinfo r1.xyzw, T4[r0.x + 16].xyzw { nonuniform }
gather4 r1.xyzw, l(0.5, 0.5, 0, 0), T3[r0.x + 12].xyzw { nonuniform }, S0[1].x
sample_c_lz r1.x, l(0.5, 0.5, 0, 0), T3[12].xxxx, S1[r0.x + 4] { nonuniform }, l(0.5)
