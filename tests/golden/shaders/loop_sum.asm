cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_resource_structured t0, 4
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 64, 1, 1
mov r0.xy, l(0,0,0,0)
loop
  uge r0.z, r0.y, cb0[0].x
  breakc_nz r0.z
  ld_structured r0.w, r0.y, l(0), t0.xxxx
  iadd r0.y, r0.y, l(1)
  lt r0.z, r0.w, l(0.0)
  continuec_nz r0.z
  add r0.x, r0.x, r0.w
endloop
store_structured u0.x, vThreadID.x, l(0), r0.x
ret
