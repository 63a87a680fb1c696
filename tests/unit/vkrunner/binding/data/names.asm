cs_5_1
dcl_globalFlags refactoringAllowed
dcl_resource_raw T0[0:2], space=0
dcl_uav_raw U0[0:0], space=0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 1, 1, 1
loop
  bufinfo r0.x, T0[vThreadID.x + 0].x
  store_raw U0[0].x, l(0), r0.x
  breakc_nz r0.x
endloop
ret
