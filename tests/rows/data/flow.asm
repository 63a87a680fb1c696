// loop in a switch
switch r0.x
  case l(2)
    loop; iadd r1.x, r1.x, l(3); ult r2.x, l(9), r1.x; if_nz r2.x; break; endif; endloop
    iadd r1.y, r1.y, l(1)
    break
  case l(3)
    loop
      iadd r1.x, r1.x, l(1)
      ult r2.x, r1.x, r0.y
      ult r2.y, r1.x, l(9)
      and r2.x, r2.x, r2.y
      continuec_nz r2.x
      break
    endloop
  default
    iadd r1.z, r1.z, l(7)
endswitch

// break out of ifs in a switch
switch r0.x
  case l(1)
    if_nz r0.y
      if_nz r0.z; break; endif
      mov r1.x, l(3)
    else
      break
    endif
    iadd r1.y, r1.y, l(1)
    break
  default
    mov r1.x, l(4)
    break
endswitch
mov r1.z, l(1)

// returns
mov r1.x, l(1)
store_structured u0.xyzw, vThreadID.x, l(0), r1.xyzw
retc_z r0.x
mov r1.x, l(2)
loop
  iadd r1.y, r1.y, l(1)
  store_structured u0.xyzw, vThreadID.x, l(0), r1.xyzw
  switch r1.y
    case l(3); if_nz r0.y; ret; endif; break
    case l(5); retc_nz r0.z; break
  endswitch
  ieq r2.x, r1.y, l(7)
  breakc_nz r2.x
endloop
mov r1.z, l(9)
store_structured u0.xyzw, vThreadID.x, l(0), r1.xyzw
if_nz r0.w; ret; else; mov r1.z, l(10); endif

// subroutines
label label0
  iadd r1.x, r1.x, l(1)
  retc_nz r0.x
  iadd r1.x, r1.x, l(10)
ret
label label1
  loop
    iadd r1.y, r1.y, l(1)
    uge r2.x, r1.y, l(5)
    retc_nz r2.x
    call label2
  endloop
ret
label label2
  iadd r1.z, r1.z, l(100)
  if_nz r0.z; ret; endif
  iadd r1.z, r1.z, l(1000)
