// thread IDs
and r2.x, vThreadID.x, l(1)
ieq r1.x, vThreadID.x, l(5)
if_nz r1.x
  the access
endif

// loaded in the branch
uge r1.x, vThreadID.x, l(5)
if_nz r1.x
  ld_structured r2.x, vThreadID.x, l(0), T9[9].xxxx
  the access
endif

// out of the range elsewhere
ld_structured r2.x, vThreadID.x, l(4), T9[9].xxxx
uge r1.x, vThreadID.x, l(5)
if_nz r1.x
  the access
endif

// a loop that threads leave
mov r3.x, l(0)
loop
  ult r1.x, vThreadID.x, r3.x
  breakc_nz r1.x
  and r2.x, r3.x, l(1)
  the access
  iadd r3.x, r3.x, l(1)
  uge r1.x, r3.x, l(6)
  breakc_nz r1.x
endloop

// after a return
ult r1.x, vThreadID.x, l(5)
if_nz r1.x
  store_structured U9[9].x, vThreadID.x, l(0), r0.x
  ret
endif
ld_structured r2.x, vThreadID.x, l(0), T9[9].xxxx
the access

// a case
and r4.x, vThreadID.x, l(3)
switch r4.x
  case l(0)
  mov r2.x, l(0)
  the access
  break
  case l(3)
  iadd r2.x, r4.x, l(-2)
  the access
  break
  default
  break
endswitch
