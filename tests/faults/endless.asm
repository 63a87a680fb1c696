cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 64, 1, 1
mov r0.xyz, l(0,1,0,0)
loop 
  uge r0.w, r0.x, l(250)
  breakc_nz r0.w
  mov r0.z, l(0)
  loop 
    uge r0.w, r0.z, l(250)
    breakc_nz r0.w
    imad r0.y, r0.y, l(1664525), l(1013904223)
    iadd r0.z, r0.z, l(1)
  endloop 
  iadd r0.x, r0.x, l(1)
endloop 
store_structured u0.x, vThreadID.x, l(0), r0.y
ret 
