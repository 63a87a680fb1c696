cs_5_1
dcl_globalFlags refactoringAllowed
dcl_sampler s0[0:0], space=0
dcl_sampler s1[1:1], comparisonMode, space=0
dcl_resource_texture1d (float,float,float,float) t0[0:0], space=0
dcl_resource_texture1darray (float,float,float,float) t1[1:1], space=0
dcl_resource_texture2d (float,float,float,float) t2[2:2], space=0
dcl_resource_texture2darray (float,float,float,float) t3[3:3], space=0
dcl_resource_texture3d (float,float,float,float) t4[4:4], space=0
dcl_resource_texturecube (float,float,float,float) t5[5:5], space=0
dcl_resource_texturecubearray (float,float,float,float) t6[6:6], space=0
dcl_resource_texture2dms(0) (float,float,float,float) t7[7:7], space=0
dcl_resource_texture2dmsarray(0) (float,float,float,float) t8[8:8], space=0
dcl_resource_texture2d (uint,uint,uint,uint) t9[9:9], space=0
dcl_uav_typed_texture2d (float,float,float,float) u0[0:0], space=0
dcl_uav_typed_texture2darray (uint,uint,uint,uint) u1[1:1], space=0
dcl_uav_typed_texture1d (float,float,float,float) u2[2:2], space=0
dcl_uav_typed_texture3d (float,float,float,float) u3[3:3], space=0
dcl_uav_structured u4[4:4].xyzw, 16, space=0
dcl_input vThreadID.xyz
dcl_temps 7
dcl_thread_group 8, 1, 1
utof r0.xy, vThreadID.xyxx
mul r1.xyzw, r0.xyxy, l(1.25000000e-01, 1.25000000e-01, 1.25000002e-02, 1.25000002e-02)
sample_l r2.xyz, r1.xyxx, t2[2].xyzw, s0[0], l(1.50000000e+00)
sample_l(1,-2,0) r3.xyz, r1.xyxx, t2[2].xyzw, s0[0], l(0.00000000e+00)
add r2.xyz, r2.xyzx, r3.xyzx
mul r0.xy, r0.xyxx, l(2.50000004e-02, 2.50000004e-02, 0.00000000e+00, 0.00000000e+00)
sample_d r3.xyz, r1.xyxx, t2[2].xyzw, s0[0], r1.zwzz, r0.xyxx
add r2.xyz, r2.xyzx, r3.xyzx
mov r3.xy, vThreadID.xyxx
mov r3.zw, l(0, 0, 0, 0)
ld(1,1,0) r4.xyz, r3.xyww, t2[2].xyzw
add r2.xyz, r2.xyzx, r4.xyzx
sample_l r4.xyz, r1.xyxx, t4[4].xyzw, s0[0], l(0.00000000e+00)
add r2.xyz, r2.xyzx, r4.xyzx
sample_l r4.xyz, r1.xyxx, t1[1].xyzw, s0[0], l(0.00000000e+00)
add r2.xyz, r2.xyzx, r4.xyzx
gather4 r4.xyz, r1.xyxx, t2[2].xyzw, s0[0].x
add r2.xyz, r2.xyzx, r4.xyzx
sample_l_s(0,1,0) r5.xyz, r6.x, r1.xyxx, t2[2].xyzw, s0[0], l(2.00000000e+00)
check_access_fully_mapped r0.z, r6.x
add r2.xyz, r2.xyzx, r5.xyzx
sample_c_lz_s r5.x, r6.x, r1.xyxx, t2[2].x, s1[1], l(5.00000000e-01)
check_access_fully_mapped r0.w, r6.x
add r2.xyz, r2.xyzx, r5.x
movc r0.zw, r0.zzzw, l(0, 0, 1, 1), l(0, 0, 0, 0)
iadd r0.z, r0.w, r0.z
sample_d_cl_s r5.xyz, r0.x, r1.xyxx, t2[2].xyzw, s0[0], r1.zwzz, r0.xyxx, l(1.50000000e+00)
check_access_fully_mapped r0.x, r0.x
add r2.xyz, r2.xyzx, r5.xyzx
movc r0.x, r0.x, l(1), l(0)
iadd r0.x, r0.x, r0.z
gather4_s(1,0,0) r5.xyz, r6.x, r1.xyxx, t2[2].xyzw, s0[0].y
check_access_fully_mapped r0.y, r6.x
add r2.xyz, r2.xyzx, r5.xyzx
movc r0.y, r0.y, l(1), l(0)
iadd r0.x, r0.y, r0.x
gather4_po_s r5.xyz, r6.x, r1.xyxx, vThreadID.xyxx, t2[2].xyzw, s0[0].z
check_access_fully_mapped r0.y, r6.x
add r2.xyz, r2.xyzx, r5.xyzx
movc r0.y, r0.y, l(1), l(0)
iadd r0.x, r0.y, r0.x
gather4_c_s r5.xyz, r6.x, r1.xyxx, t2[2].xyzw, s1[1].x, l(2.50000000e-01)
check_access_fully_mapped r0.y, r6.x
add r2.xyz, r2.xyzx, r5.xyzx
movc r0.y, r0.y, l(1), l(0)
iadd r0.x, r0.y, r0.x
gather4_po_c_s r5.xyz, r6.x, r1.xyxx, vThreadID.xyxx, t2[2].xyzw, s1[1].x, l(2.50000000e-01)
check_access_fully_mapped r0.y, r6.x
add r2.xyz, r2.xyzx, r5.xyzx
movc r0.y, r0.y, l(1), l(0)
iadd r0.x, r0.y, r0.x
mov r5.xy, vThreadID.xyxx
mov r5.zw, l(0, 0, 1, 1)
ld_s r5.xyz, r6.x, r5.xyzw, t2[2].xyzw
check_access_fully_mapped r0.y, r6.x
add r2.xyz, r2.xyzx, r5.xyzx
movc r0.y, r0.y, l(1), l(0)
iadd r0.x, r0.y, r0.x
ld2dms_s r5.xyz, r6.x, r3.xyww, t7[7].xyzw, l(1)
check_access_fully_mapped r0.y, r6.x
add r2.xyz, r2.xyzx, r5.xyzx
movc r0.y, r0.y, l(1), l(0)
iadd r0.x, r0.y, r0.x
ld_uav_typed_s r5.x, r6.x, vThreadID.xyyy, u0[0].xyzw
check_access_fully_mapped r0.y, r6.x
add r2.xyz, r2.xyzx, r5.x
movc r0.y, r0.y, l(1), l(0)
iadd r0.x, r0.y, r0.x
add r0.yzw, r4.xxyz, r2.xxyz
and r2.x, vThreadID.x, l(1)
utof r1.w, r2.x
mov r1.z, l(1.00000000e+00)
sample_l r2.xyz, r1.xyzw, t6[6].xyzw, s0[0], l(0.00000000e+00)
add r0.yzw, r0.yyzw, r2.xxyz
ld2dms r2.xyz, r3.xyzw, t7[7].xyzw, l(1)
mov r3.xyz, vThreadID.xyzx
mov r3.w, l(0)
ld2dms r4.xyz, r3.xyzw, t8[8].xyzw, l(2)
add r2.xyz, r2.xyzx, r4.xyzx
add r0.yzw, r0.yyzw, r2.xxyz
sample_pos r2.xy, t7[7].xyxx, vThreadID.x
add r0.yzw, r0.yyzw, r2.xxyx
resinfo_uint r2.xy, l(0), t7[7].xyzw
utof r2.xy, r2.xyxx
sample_info r2.z, t7[7].x
add r0.yzw, r0.yyzw, r2.xxyz
sample_c_lz r1.w, r1.xyxx, t2[2].x, s1[1], l(5.00000000e-01)
add r0.yzw, r0.yyzw, r1.w
ld r2.xyz, r3.xwww, t0[0].xyzw
ld r4.xyz, r3.xyzw, t3[3].xyzw
add r2.xyz, r2.xyzx, r4.xyzx
ld r4.xyz, r3.xyzw, t4[4].xyzw
add r2.xyz, r2.xyzx, r4.xyzx
add r0.yzw, r0.yyzw, r2.xxyz
sample_l r1.xyz, r1.xyzx, t5[5].xyzw, s0[0], l(0.00000000e+00)
add r0.yzw, r0.yyzw, r1.xxyz
ld r1.xyz, r3.xyww, t9[9].xyzw
utof r1.xyz, r1.xyzx
add r0.yzw, r0.yyzw, r1.xxyz
resinfo_uint r1.xyz, vThreadID.x, t2[2].xywz
utof r1.xyz, r1.xyzx
add r0.yzw, r0.yyzw, r1.xxyz
resinfo_uint r1.xyz, l(0), t4[4].xyzw
utof r1.xyz, r1.xyzx
add r1.xyz, r0.yzwy, r1.xyzx
resinfo r2.xyzw, l(0), t3[3].xyzw
mov r1.w, r2.w
mov r2.w, l(1.00000000e+00)
add r1.xyzw, r1.xyzw, r2.xyzw
store_uav_typed u0[0].xyzw, vThreadID.xyyy, r1.x
ftou r2.xyzw, r1.xyzw
store_uav_typed u1[1].xyzw, vThreadID.xyzz, r2.xyzw
store_uav_typed u2[2].xyzw, vThreadID.x, r1.xyzw
store_uav_typed u3[3].xyzw, vThreadID.xyzz, r1.xyzw
utof r0.x, r0.x
add r1.w, r0.x, r1.w
ishl r0.x, vThreadID.y, l(3)
iadd r0.x, r0.x, vThreadID.x
store_structured u4[4].xyzw, r0.x, l(0), r1.xyzw
ret
