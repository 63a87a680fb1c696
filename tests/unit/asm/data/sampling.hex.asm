cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[11], dynamicIndexed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_buffer (mixed,mixed,mixed,mixed) t0
dcl_resource_texture1d (float,float,float,float) t1
dcl_resource_texture1darray (sint,sint,sint,sint) t2
dcl_resource_texture2d (unorm,unorm,unorm,unorm) t3
dcl_resource_texture2darray (uint,uint,uint,uint) t4
dcl_resource_texture2dms(4) (float,float,float,float) t5
dcl_resource_texture2dmsarray(0) (sint,sint,sint,sint) t6
dcl_resource_texture3d (snorm,snorm,snorm,snorm) t7
dcl_resource_texturecube (float,float,float,float) t8
dcl_resource_texturecubearray (float,float,float,float) t9
dcl_resource_buffer (sint,sint,sint,sint) t10
dcl_uav_typed_texture1d (float,float,float,float) u0
dcl_uav_typed_texture2darray_glc (float,float,float,float) u1
dcl_input vThreadID.xyz
dcl_temps 6
dcl_thread_group 8, 4, 2
ld_indexable(buffer)(mixed,mixed,mixed,mixed) r0.xyzw, vThreadID.xxxx, t0.xyzw
utof r1.xyz, vThreadID.xyzx
mad r1.xyz, r1.xyzx, l(0x3dcccccd, 0x3dcccccd, 0x3dcccccd, 0x00000000), l(0x3089705f, 0x3089705f, 0x3089705f, 0x00000000)
sample_l_aoffimmi_indexable(1,-3,0)(texture2d)(unorm,unorm,unorm,unorm) r2.xyzw, r1.xyxx, t3.xyzw, s0, r1.z
sample_d_aoffimmi_indexable(-8,7,0)(texture2d)(unorm,unorm,unorm,unorm) r3.xyzw, r1.xyxx, t3.xyzw, s0, r1.xxxx, r1.yyyy
add r2.xyzw, r2.xyzw, r3.xyzw
sample_c_lz_indexable(texture2d)(unorm,unorm,unorm,unorm) r1.w, r1.xyxx, t3.xxxx, s1, r1.z
add r2.xyzw, r1.wwww, r2.xyzw
sample_l_indexable(texturecube)(float,float,float,float) r3.xyzw, r1.xyzx, t8.xyzw, s0, l(0x40000000)
add r2.xyzw, r2.xyzw, r3.xyzw
sample_l_indexable(texturecubearray)(float,float,float,float) r3.xyzw, r1.xyzx, t9.xyzw, s0, l(0x00000000)
add r2.xyzw, r2.xyzw, r3.xyzw
sample_l_aoffimmi_indexable(3,0,0)(texture1d)(float,float,float,float) r3.xy, r1.x, t1.xyzw, s0, l(0x3f800000)
add r2.xy, r2.xyxx, r3.xyxx
sample_l_aoffimmi_indexable(1,2,3)(texture3d)(snorm,snorm,snorm,snorm) r1.w, r1.xyzx, t7.yzwx, s0, l(0x00000000)
add r2.xyzw, r1.wwww, r2.xyzw
gather4_indexable(texture2d)(unorm,unorm,unorm,unorm) r3.xyzw, r1.xyxx, t3.xyzw, s0.z
add r2.xyzw, r2.xyzw, r3.xyzw
gather4_c_aoffimmi_indexable(1,1,0)(texture2d)(unorm,unorm,unorm,unorm) r3.xyzw, r1.xyxx, t3.xyzw, s1.x, r1.z
add r2.xyzw, r2.xyzw, r3.xyzw
gather4_po_indexable(texture2d)(unorm,unorm,unorm,unorm) r3.xyzw, r1.xyxx, vThreadID.xyxx, t3.xyzw, s0.x
add r2.xyzw, r2.xyzw, r3.xyzw
gather4_po_c_indexable(texture2d)(unorm,unorm,unorm,unorm) r3.xyzw, r1.xyxx, vThreadID.xyxx, t3.xyzw, s1.x, r1.z
add r2.xyzw, r2.xyzw, r3.xyzw
mov r3.xy, vThreadID.xyxx
mov r3.zw, l(0x00000000,0x00000000,0x00000001,0x00000001)
ld_aoffimmi_indexable(2,2,0)(texture2d)(unorm,unorm,unorm,unorm) r3.xyzw, r3.xyzw, t3.xyzw
add r2.xyzw, r2.xyzw, r3.xyzw
ld_aoffimmi_indexable(-2,0,0)(texture1darray)(sint,sint,sint,sint) r1.w, vThreadID.xyzz, t2.yzwx
itof r1.w, r1.w
add r3.y, r1.w, r2.x
mov r4.xyz, vThreadID.xyzx
mov r4.w, l(0x00000000)
ld_indexable(texture2darray)(uint,uint,uint,uint) r5.xyz, r4.xyzw, t4.xyzw
utof r5.xyz, r5.xyzx
mov r3.zw, r2.yyyz
add r3.yzw, r3.yyzw, r5.xxyz
ldms_aoffimmi_indexable(1,0,0)(texture2dms)(float,float,float,float) r1.w, r4.xyww, t5.yzwx, l(0x00000002)
add r3.x, r1.w, r3.y
ldms_indexable(texture2dmsarray)(sint,sint,sint,sint) r4.xy, r4.xyzw, t6.xyzw, l(0x00000001)
itof r4.xy, r4.xyxx
add r2.xy, r3.xzxx, r4.xyxx
ld_indexable(buffer)(sint,sint,sint,sint) r4.xyzw, vThreadID.xxxx, t10.xyzw
itof r4.xyzw, r4.xyzw
mov r2.z, r3.w
add r2.xyzw, r2.xyzw, r4.xyzw
add r0.xyzw, r0.xyzw, r2.xyzw
mov r1.w, vThreadID.x
mov r2.x, cb0[7].y
add r2.xyzw, cb0[r2.x + 0].xyzw, cb0[r1.w + 2].xyzw
add r0.xyzw, r0.xyzw, r2.xyzw
dp3 r2.x, cb0[8].xyzx, r1.xyzx
dp3 r2.y, cb0[9].xyzx, r1.xyzx
dp3 r2.z, cb0[10].xyzx, r1.xyzx
mad r1.xyzw, r0.xyzw, l(0x40000000, 0x40000000, 0x40000000, 0x40000000), r2.xyzx
store_uav_typed u1.xyzw, vThreadID.xyzz, r1.xyzw
if_nz cb0[10].w
  store_uav_typed u0.xyzw, vThreadID.xxxx, r0.xxxx
endif 
ret 
// Approximately 60 instruction slots used
