// if
if_nz vThreadID.x
  mov r0.x, l(5)
endif

// if_z with empty else
if_z vThreadID.x
  mov r0.x, l(5)
else
endif

// only the else does something
if_nz vThreadID.x
else
  mov r0.x, l(3)
endif

// both arms swap
mov r1.xy, l(1,2,0,0)
if_nz vThreadID.x
  mov r1.xy, r1.yxyy
endif
imad r0.x, r1.x, l(10), r1.y

// chain
ieq r1.x, vThreadID.x, l(1)
if_nz r1.x
  mov r0.x, l(10)
else
  ieq r1.x, vThreadID.x, l(2)
  if_nz r1.x
    mov r0.x, l(20)
  else
    ieq r1.x, vThreadID.x, l(3)
    if_nz r1.x
      mov r0.x, l(30)
    endif
  endif
endif

// one arm returns
ult r1.x, vThreadID.x, l(4)
if_nz r1.x
  ret
endif
mov r0.x, l(1)

// both arms return
if_nz vThreadID.x
  ret
else
  ret
endif
mov r0.x, l(1)

// retc
ult r1.x, vThreadID.x, l(4)
retc_z r1.x
mov r0.x, l(1)

// condition that is always false
if_nz r3.x
  mov r0.x, l(1)
else
  mov r0.x, l(2)
endif

// taken arm never ends
if_nz r3.x
  mov r0.x, l(1)
else
  loop
    uge r1.x, r2.x, l(3)
    retc_nz r1.x
    iadd r2.x, r2.x, l(1)
  endloop
endif
iadd r0.x, r0.x, l(1)

// loop with its test first
loop
  uge r1.x, r0.x, vThreadID.x
  breakc_nz r1.x
  iadd r0.x, r0.x, l(1)
endloop

// loop with its test last
loop
  iadd r0.x, r0.x, l(1)
  uge r1.x, r0.x, vThreadID.x
  breakc_nz r1.x
endloop

// loop that never repeats
loop
  mov r0.x, l(4)
  break
endloop

// loop left by return alone
loop
  uge r1.x, r0.x, vThreadID.x
  retc_nz r1.x
  iadd r0.x, r0.x, l(1)
endloop
mov r0.x, l(99)

// loop whose arms both leave
loop
  if_nz vThreadID.x
    mov r0.x, l(1)
    break
  else
    mov r0.x, l(2)
    break
  endif
  mov r0.x, l(3)
endloop

// continue
loop
  uge r1.x, r2.x, vThreadID.x
  breakc_nz r1.x
  mov r2.y, r2.x
  iadd r2.x, r2.x, l(1)
  and r1.x, r2.y, l(1)
  continuec_z r1.x
  ieq r1.x, r2.y, l(7)
  if_nz r1.x
    continue
  endif
  iadd r0.x, r0.x, r2.y
endloop

// parallel copy
mov r1.y, l(1)
loop
  uge r2.x, r3.x, vThreadID.x
  breakc_nz r2.x
  iadd r3.x, r3.x, l(1)
  iadd r2.y, r1.x, r1.y
  mov r1.x, r1.y
  mov r1.y, r2.y
endloop
mov r0.x, r1.x

// while with if inside
iadd r1.x, vThreadID.x, l(1)
loop
  ieq r2.x, r1.x, l(1)
  breakc_nz r2.x
  and r2.x, r1.x, l(1)
  if_nz r2.x
    imad r1.x, r1.x, l(3), l(1)
  else
    ushr r1.x, r1.x, l(1)
  endif
  iadd r0.x, r0.x, l(1)
endloop

// nested loops
loop
  uge r1.x, r2.x, vThreadID.x
  breakc_nz r1.x
  mov r2.y, l(0)
  loop
    uge r1.x, r2.y, r2.x
    breakc_nz r1.x
    ieq r1.x, r2.y, l(5)
    if_nz r1.x
      break
    endif
    imad r0.x, r2.x, r2.y, r0.x
    iadd r2.y, r2.y, l(1)
  endloop
  iadd r2.x, r2.x, l(1)
endloop

// switch
switch vThreadID.x
  case l(1)
  mov r0.x, l(10)
  break
  case l(3)
  mov r0.x, l(30)
  break
  default
  mov r0.x, l(7)
  break
endswitch

// switch without default
switch vThreadID.x
  case l(1)
  mov r0.x, l(10)
  break
endswitch

// default alone
switch vThreadID.x
  default
  mov r0.x, l(7)
endswitch

// default first
switch vThreadID.x
  default
  mov r0.x, l(7)
  break
  case l(2)
  mov r0.x, l(2)
  break
endswitch

// labels that share
switch vThreadID.x
  case l(1)
  case l(2)
  default
  mov r0.x, l(1)
  break
  case l(5)
  case l(6)
  mov r0.x, l(2)
endswitch

// falling through
switch vThreadID.x
  case l(1)
  iadd r0.x, r0.x, l(1)
  case l(2)
  iadd r0.x, r0.x, l(10)
  default
  iadd r0.x, r0.x, l(100)
  case l(4)
  iadd r0.x, r0.x, l(1000)
endswitch

// falling through with a merge unused
mov r1.x, l(5)
mov r2.x, l(7)
switch vThreadID.x
  case l(0)
  mov r2.x, l(1)
  case l(1)
  mov r1.x, l(2)
  iadd r2.x, r2.x, r1.x
  case l(2)
  iadd r0.x, r1.x, r2.x
  break
  default
  mov r0.x, l(100)
  break
endswitch

// conditional break in a case
switch vThreadID.x
  case l(0)
  case l(3)
  mov r0.x, l(1)
  breakc_nz vThreadID.x
  mov r0.x, l(2)
  default
  iadd r0.x, r0.x, l(10)
endswitch

// all cases return
switch vThreadID.x
  case l(1)
  ret
  default
  ret
endswitch
mov r0.x, l(1)

// switch in a loop
loop
  uge r1.x, r2.x, l(6)
  breakc_nz r1.x
  mov r2.y, r2.x
  iadd r2.x, r2.x, l(1)
  switch r2.y
    case l(1)
    continue
    case l(2)
    break
    case l(4)
    iadd r0.x, r0.x, l(100)
    break
    default
    iadd r0.x, r0.x, l(1)
    break
  endswitch
  iadd r0.x, r0.x, l(10)
endloop

// large label
ineg r1.x, vThreadID.x
switch r1.x
  case l(0xffffffff)
  mov r0.x, l(1)
  break
  case l(0xfffffffe)
  mov r0.x, l(2)
  break
endswitch

// call
call label0
callc_nz vThreadID.x, label0
iadd r0.x, r0.x, l(1)

// call in a loop
loop
  uge r1.x, r2.x, vThreadID.x
  breakc_nz r1.x
  iadd r2.x, r2.x, l(1)
  call label0
endloop
