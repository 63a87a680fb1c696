// inactive threads
and r0.x, vThreadID.x, l(1)
if_nz r0.x
printf "odd %u", vThreadID.x
ult r0.y, vThreadID.x, l(4)
retc_nz r0.y
else
mov r1.x, l(0)
loop
uge r1.y, r1.x, vThreadID.x
breakc_nz r1.y
printf "round %u", r1.x
iadd r1.x, r1.x, l(1)
endloop
endif
switch vThreadID.x
case l(5)
printf "five"
break
case l(6)
printf "six"
default
printf "six or other"
break
endswitch

// callers
mov r0.xyzw, l(7, 7, 7, 7)
mov r1.xyzw, l(7, 7, 7, 7)
mov r2.xyzw, l(7, 7, 7, 7)
mov r3.xyzw, l(7, 7, 7, 7)
call label0
ishl r1.x, vThreadID.x, l(2)
store_raw u0.x, r1.x, l(1)
printf "after"
ret
label label0
mov r0.y, l(0)
loop
uge r0.z, r0.y, l(2)
breakc_nz r0.z
ieq r0.x, vThreadID.x, r0.y
callc_nz r0.x, label1
printf "%u back", r0.y
iadd r0.y, r0.y, l(1)
endloop
ret
label label1
ieq r0.x, vThreadID.x, l(1)
if_nz r0.x
abort
endif
printf "called"
