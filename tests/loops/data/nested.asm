cs_5_0
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 8
dcl_thread_group 32, 1, 1
mov r0.xyzw, l(0, 0, 0, 0)
loop
  uge r1.x, r0.x, vThreadID.x
  breakc_nz r1.x
  mov r0.y, l(0)
  loop
    uge r1.y, r0.y, l(60)
    breakc_nz r1.y
    iadd r1.y, r0.x, r0.y
    ishl r1.y, r1.y, l(2)
    ld_raw r2.x, r1.y, t0.xxxx
    and r1.z, r2.x, vThreadID.x
    iadd r0.y, r0.y, l(1)
    switch r1.z
      case l(0)
        iadd r0.z, r0.z, r2.x
        continue
      case l(1)
        break
      default
        iadd r0.z, r0.z, l(1)
        break
    endswitch
    uge r1.w, r0.y, r0.x
    breakc_nz r1.w
    ieq r1.w, r2.x, l(13)
    if_nz r1.w
      imul null, r2.x, r2.x, l(3)
      break
    endif
  endloop
  iadd r0.w, r0.w, r2.x
  iadd r0.x, r0.x, l(1)
  ieq r1.x, r0.w, l(77)
  if_nz r1.x
    ishl r3.x, vThreadID.x, l(4)
    store_raw u0.xyzw, r3.x, r0.wzyx
    ret
  endif
endloop
ishl r3.x, vThreadID.x, l(4)
store_raw u0.x, r3.x, r2.x
iadd r3.x, r3.x, l(4)
store_raw u0.xyz, r3.x, r0.yzwx
ret
