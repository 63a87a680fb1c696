cs_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0
dcl_sampler s1, comparisonMode
dcl_resource_texture1d (float,float,float,float) t0
dcl_resource_texture1darray (float,float,float,float) t1
dcl_resource_texture2d (float,float,float,float) t2
dcl_resource_texture2darray (float,float,float,float) t3
dcl_resource_texture3d (float,float,float,float) t4
dcl_resource_texturecube (float,float,float,float) t5
dcl_resource_texturecubearray (float,float,float,float) t6
dcl_resource_texture2dms(0) (float,float,float,float) t7
dcl_resource_texture2dmsarray(0) (float,float,float,float) t8
dcl_resource_texture2d (uint,uint,uint,uint) t9
dcl_uav_typed_texture2d (float,float,float,float) u0
dcl_uav_typed_texture2darray (uint,uint,uint,uint) u1
dcl_uav_typed_texture1d (float,float,float,float) u2
dcl_uav_typed_texture3d (float,float,float,float) u3
dcl_uav_structured u4, 16
dcl_input vThreadID.xyz
dcl_temps 6
dcl_thread_group 8, 1, 1
ld_uav_typed_indexable(texture2d) r0.x, vThreadID.xyyy, u0.xyzw
mov r1.xy, vThreadID.xyxx
mov r1.zw, l(0, 0, 0, 0)
ld_indexable(texture2d)(1,1,0) r0.yzw, r1.xyww, t2.wxyz
ld2dms_indexable(texture2dms) r1.xyz, r1.xyzw, t7.xyzw, l(1)
utof r2.xy, vThreadID.xyxx
mul r3.xyzw, r2.xyxy, l(1.25000000e-01, 1.25000000e-01, 1.25000002e-02, 1.25000002e-02)
mul r2.xy, r2.xyxx, l(2.50000004e-02, 2.50000004e-02, 0.00000000e+00, 0.00000000e+00)
sample_d_indexable(texture2d) r2.xyz, r3.xyxx, t2.xyzw, s0, r3.zwzz, r2.xyxx
sample_l_indexable(texture2d) r4.xyz, r3.xyxx, t2.xyzw, s0, l(1.50000000e+00)
sample_l_indexable(texture2d)(1,-2,0) r5.xyz, r3.xyxx, t2.xyzw, s0, l(0.00000000e+00)
add r4.xyz, r4.xyzx, r5.xyzx
add r2.xyz, r2.xyzx, r4.xyzx
add r0.yzw, r0.yyzw, r2.xxyz
sample_l_indexable(texture3d) r2.xyz, r3.xyxx, t4.xyzw, s0, l(0.00000000e+00)
add r0.yzw, r0.yyzw, r2.xxyz
sample_l_indexable(texture1darray) r2.xyz, r3.xyxx, t1.xyzw, s0, l(0.00000000e+00)
add r0.yzw, r0.yyzw, r2.xxyz
gather4_indexable(texture2d) r2.xyz, r3.xyxx, t2.xyzw, s0.x
add r0.yzw, r0.yyzw, r2.xxyz
sample_c_lz_indexable(texture2d) r1.w, r3.xyxx, t2.x, s1, l(5.00000000e-01)
add r0.yzw, r0.yyzw, r1.w
gather4_indexable(texture2d)(1,0,0) r4.xyz, r3.xyxx, t2.xyzw, s0.y
add r0.yzw, r0.yyzw, r4.xxyz
gather4_po_indexable(texture2d) r4.xyz, r3.xyxx, vThreadID.xyxx, t2.xyzw, s0.z
add r0.yzw, r0.yyzw, r4.xxyz
gather4_c_indexable(texture2d) r4.xyz, r3.xyxx, t2.xyzw, s1.x, l(2.50000000e-01)
add r0.yzw, r0.yyzw, r4.xxyz
gather4_po_c_indexable(texture2d) r4.xyz, r3.xyxx, vThreadID.xyxx, t2.xyzw, s1.x, l(2.50000000e-01)
add r0.yzw, r0.yyzw, r4.xxyz
add r0.xyz, r0.x, r0.yzwy
add r0.xyz, r2.xyzx, r0.xyzx
and r0.w, vThreadID.x, l(1)
utof r3.w, r0.w
mov r3.z, l(1.00000000e+00)
sample_l_indexable(texturecubearray) r2.xyz, r3.xyzw, t6.xyzw, s0, l(0.00000000e+00)
sample_l_indexable(texturecube) r3.xyz, r3.xyzx, t5.xyzw, s0, l(0.00000000e+00)
add r0.xyz, r0.xyzx, r2.xyzx
mov r2.xyz, vThreadID.xyzx
mov r2.w, l(0)
ld2dms_indexable(texture2dmsarray) r4.xyz, r2.xyzw, t8.xyzw, l(2)
add r1.xyz, r1.xyzx, r4.xyzx
add r0.xyz, r0.xyzx, r1.xyzx
sample_pos r1.xy, t7.xyxx, vThreadID.x
add r0.xyz, r0.xyzx, r1.xyxx
resinfo_uint_indexable(texture2dms) r1.xy, l(0), t7.xyzw
utof r1.xy, r1.xyxx
sample_info r1.z, t7.x
add r0.xyz, r0.xyzx, r1.xyzx
add r0.xyz, r1.w, r0.xyzx
ld_indexable(texture1d) r1.xyz, r2.xwww, t0.xyzw
ld_indexable(texture2darray) r4.xyz, r2.xyzw, t3.xyzw
add r1.xyz, r1.xyzx, r4.xyzx
ld_indexable(texture3d) r4.xyz, r2.xyzw, t4.xyzw
ld_indexable(texture2d)(uint,uint,uint,uint) r2.xyz, r2.xyww, t9.xyzw
utof r2.xyz, r2.xyzx
add r1.xyz, r1.xyzx, r4.xyzx
add r0.xyz, r0.xyzx, r1.xyzx
add r0.xyz, r3.xyzx, r0.xyzx
add r0.xyz, r2.xyzx, r0.xyzx
resinfo_uint_indexable(texture2d) r1.xyz, vThreadID.x, t2.xywz
utof r1.xyz, r1.xyzx
add r0.xyz, r0.xyzx, r1.xyzx
resinfo_uint_indexable(texture3d) r1.xyz, l(0), t4.xyzw
utof r1.xyz, r1.xyzx
add r0.xyz, r0.xyzx, r1.xyzx
mov r1.w, l(1.00000000e+00)
resinfo_indexable(texture2darray) r2.xyzw, l(0), t3.xyzw
mov r0.w, r2.w
mov r1.xyz, r2.xyzx
add r0.xyzw, r0.xyzw, r1.xyzw
store_uav_typed u0.xyzw, vThreadID.xyyy, r0.x
ftou r1.xyzw, r0.xyzw
store_uav_typed u1.xyzw, vThreadID.xyzz, r1.xyzw
store_uav_typed u2.xyzw, vThreadID.x, r0.xyzw
store_uav_typed u3.xyzw, vThreadID.xyzz, r0.xyzw
ishl r1.x, vThreadID.y, l(3)
iadd r1.x, r1.x, vThreadID.x
store_structured u4.xyzw, r1.x, l(0), r0.xyzw
ret
