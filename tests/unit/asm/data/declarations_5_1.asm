cs_5_1
dcl_resource_<unknown dimension> (float,float,float,float) T0[2:4], space=3
dcl_uav_typed_<unknown dimension> (uint,uint,uint,uint) U0[2:4], space=3
dcl_resource_buffer (float,float,float,float) T1[3:5], space=3
dcl_uav_typed_buffer (uint,uint,uint,uint) U1[3:5], space=3
dcl_resource_texture1d (float,float,float,float) T2[4:6], space=3
dcl_uav_typed_texture1d (uint,uint,uint,uint) U2[4:6], space=3
dcl_resource_texture2d (float,float,float,float) T3[5:7], space=3
dcl_uav_typed_texture2d (uint,uint,uint,uint) U3[5:7], space=3
dcl_resource_texture2dms(8) (float,float,float,float) T4[6:8], space=3
dcl_uav_typed_texture2dms (uint,uint,uint,uint) U4[6:8], space=3
dcl_resource_texture3d (float,float,float,float) T5[7:9], space=3
dcl_uav_typed_texture3d (uint,uint,uint,uint) U5[7:9], space=3
dcl_resource_texturecube (float,float,float,float) T6[8:10], space=3
dcl_uav_typed_texturecube (uint,uint,uint,uint) U6[8:10], space=3
dcl_resource_texture1darray (float,float,float,float) T7[9:11], space=3
dcl_uav_typed_texture1darray (uint,uint,uint,uint) U7[9:11], space=3
dcl_resource_texture2darray (float,float,float,float) T8[10:12], space=3
dcl_uav_typed_texture2darray (uint,uint,uint,uint) U8[10:12], space=3
dcl_resource_texture2dmsarray(8) (float,float,float,float) T9[11:13], space=3
dcl_uav_typed_texture2dmsarray (uint,uint,uint,uint) U9[11:13], space=3
dcl_resource_texturecubearray (float,float,float,float) T10[12:14], space=3
dcl_uav_typed_texturecubearray (uint,uint,uint,uint) U10[12:14], space=3
dcl_resource_raw_buffer (float,float,float,float) T11[13:15], space=3
dcl_uav_typed_raw_buffer (uint,uint,uint,uint) U11[13:15], space=3
dcl_resource_structured_buffer (float,float,float,float) T12[14:16], space=3
dcl_uav_typed_structured_buffer (uint,uint,uint,uint) U12[14:16], space=3
dcl_resource_texture2d (unorm,snorm,sint,uint) T1[3:5], space=3
dcl_resource_texture2dms(0) (mixed,double,<continued>,<unused>) T1[3:*], space=3
dcl_uav_typed_texture2d_glc (float,float,float,float) U4294967280[4294967282:4294967284], space=3
dcl_uav_typed_texture2d_rov (float,float,float,float) U4294967280[4294967282:4294967284], space=3
dcl_uav_typed_texture2d_glc_rov (float,float,float,float) U4294967280[4294967282:4294967284], space=3
dcl_uav_raw U0[2:4], space=3
dcl_uav_raw_glc U0[2:4], space=3
dcl_uav_raw_rov U0[2:4], space=3
dcl_uav_raw_glc_rov U0[2:4], space=3
dcl_uav_structured U0[2:4], 20, space=3
dcl_uav_structured_glc U0[2:4], 20, space=3
dcl_uav_structured_rov U0[2:4], 20, space=3
dcl_uav_structured_glc_rov U0[2:4], 20, space=3
dcl_uav_structured_opc U0[2:4], 20, space=3
dcl_uav_structured_glc_opc U0[2:4], 20, space=3
dcl_uav_structured_opc_rov U0[2:4], 20, space=3
dcl_uav_structured_glc_opc_rov U0[2:4], 20, space=3
dcl_uav_structured U0[2:4], 4294967280, space=4294967280
dcl_resource_raw T0[2:4], space=3
dcl_resource_structured T0[2:4], 44, space=3
dcl_sampler S1[3:5], mode_default, space=3
dcl_sampler S1[3:5], mode_comparison, space=3
dcl_sampler S1[3:5], mode_mono, space=3
dcl_constantbuffer CB2[7:9][21], immediateIndexed, space=3
dcl_constantbuffer CB2[7:9][21], dynamicIndexed, space=3
dcl_constantbuffer CB2[0:9][0], immediateIndexed, space=3
dcl_input vThreadID.xz
dcl_input vThreadGroupID.xz
dcl_input vThreadIDInGroup.xz
dcl_input vThreadIDInGroupFlattened
dcl_input vCycleCounter.x
dcl_temps 5
dcl_indexableTemp x1[6], 1
dcl_indexableTemp x2[6], 2
dcl_indexableTemp x3[6], 3
dcl_indexableTemp x4[6], 4
dcl_globalFlags refactoringAllowed
dcl_globalFlags enableDoublePrecisionFloatOps
dcl_globalFlags forceEarlyDepthStencil
dcl_globalFlags enableRawAndStructuredBuffers
dcl_globalFlags skipOptimization
dcl_globalFlags enableMinimumPrecision
dcl_globalFlags enable11_1DoubleExtensions
dcl_globalFlags enable11_1ShaderExtensions
dcl_globalFlags allResourcesBound
dcl_globalFlagsnone
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enableRawAndStructuredBuffers | forceEarlyDepthStencil | skipOptimization | enableMinimumPrecision | enable11_1DoubleExtensions | enable11_1ShaderExtensions | allResourcesBound
dcl_thread_group 1, 2, 4294967295
dcl_tgsm_raw g1, 44
dcl_tgsm_structured g1, 44, 4294967280
dcl_function_body fb4294967280
dcl_function_table ft1 = {}
dcl_function_table ft1 = {fb5, fb6}
dcl_function_table ft1 = {fb0, fb1, fb2, fb3, fb4, fb5, fb6, fb7, fb8, fb9, fb10, fb11, fb12, fb13, fb14, fb15, fb16, fb17, fb18, fb19, fb20, fb21, fb22, fb23, fb24, fb25, fb26, fb27, fb28, fb29, fb30, fb31, fb32, fb33, fb34, fb35, fb36, fb37, fb38, fb39}
dcl_interface_dynamicindexed fp1[3][2] = {ft4, ft5}
dcl_interface fp1[1][2] = {}
dcl_interface_dynamicindexed fp1[3][2] = {ft0, ft1, ft2, ft3, ft4, ft5, ft6, ft7, ft8, ft9, ft10, ft11, ft12, ft13, ft14, ft15, ft16, ft17, ft18, ft19, ft20, ft21, ft22, ft23, ft24, ft25, ft26, ft27, ft28, ft29, ft30, ft31, ft32, ft33, ft34, ft35, ft36, ft37, ft38, ft39, ft40, ft41, ft42, ft43, ft44, ft45, ft46, ft47, ft48, ft49, ft50, ft51, ft52, ft53, ft54, ft55, ft56}
dcl_immediateConstantBuffer { { 0, 1, 2, 3} }
dcl_immediateConstantBuffer { { -1, 0x7f800000, 1.000000, -0.000000},
                              { 1, 10000, 0x00002711, 0x7fc00000},
                              { -3.141593, 0.000000, 0x80000001, -10000} }
fcall fp1[2][3]
fcall fp1[r0.x + 2][3]
label fb1
ret 
// Approximately 0 instruction slots used
