mov r1.x, l(0)
loop
  uge r1.y, r1.x, l(3)
  breakc_nz r1.y
  ieq r1.y, r1.x, vThreadID.x
  if_nz r1.y
    mov r0.x, l({one})
    {end}
  endif
  iadd r1.x, r1.x, l(1)
endloop
