cs_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 0x3f800000, 0x40000000, 0x40400000, 0x40800000},
                              { 0x40a00000, 0x40c00000, 0x40e00000, 0x41000000},
                              { 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000},
                              { 0x40000000, 0x40000000, 0x40000000, 0x40000000},
                              { 0x40400000, 0x40400000, 0x40400000, 0x40400000} }
dcl_uav_typed_buffer (float,float,float,float) u0
dcl_input vThreadID.xyz
dcl_temps 1
dcl_indexableTemp x0[6], 4
dcl_thread_group 8, 1, 1
mov r0.x, l(0x00000000)
loop 
  uge r0.y, r0.x, l(0x00000006)
  breakc_nz r0.y
  imul null, r0.y, r0.x, vThreadID.y
  udiv null, r0.y, r0.y, l(0x00000006)
  utof r0.z, r0.x
  mov x0[r0.y + 0].x, r0.z
  iadd r0.x, r0.x, l(0x00000001)
endloop 
udiv null, r0.xy, vThreadID.xxxx, l(0x00000005, 0x00000006, 0x00000000, 0x00000000)
mov r0.y, x0[r0.y + 0].x
add r0.x, r0.y, icb[r0.x + 0].y
ld_uav_typed_indexable(buffer)(float,float,float,float) r0.y, vThreadID.zzzz, u0.yxzw
add r0.x, |r0.y|, r0.x
store_uav_typed u0.xyzw, vThreadID.xxxx, r0.xxxx
ret 
// Approximately 17 instruction slots used
