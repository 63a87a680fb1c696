cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 8, 1, 1
mov r0.xy, l(7, 9, 0, 0)
switch vThreadID.x
  case l(1)
  mov r0.x, l(1)
  case l(2)
  iadd r0.y, r0.x, l(10)
  case l(3)
  iadd r0.x, r0.y, l(1)
  break
  case l(4)
  default
  ret
endswitch
ishl r0.y, vThreadID.x, l(2)
store_raw u0.x, r0.y, r0.x
ret
