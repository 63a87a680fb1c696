// to the next round: 8
loop
uge r4.x, r3.x, l(2)
breakc_nz r4.x
iadd r3.x, r3.x, l(1)
LOAD
BARRIER
STORE
endloop

// by continue: 8
loop
uge r4.x, r3.x, l(2)
breakc_nz r4.x
iadd r3.x, r3.x, l(1)
STORE
BARRIER
LOAD
continue
BARRIER
endloop

// by break: 8
loop
LOAD
break
BARRIER
endloop
STORE

// by a break in a condition: 1
loop
ult r4.x, vThreadIDInGroupFlattened.x, l(4)
if_nz r4.x
LOAD
break
BARRIER
else
STORE
break
endif
endloop

// out of two loops: 8
loop
uge r4.x, r3.x, l(2)
breakc_nz r4.x
iadd r3.x, r3.x, l(1)
STORE
BARRIER
loop
LOAD
break
endloop
endloop

// by continue in a switch: 8
loop
uge r4.x, r3.x, l(2)
breakc_nz r4.x
iadd r3.x, r3.x, l(1)
STORE
BARRIER
switch l(1)
case l(1)
LOAD
continue
BARRIER
break
endswitch
BARRIER
endloop

// to the other arm: 1
ult r4.x, vThreadIDInGroupFlattened.x, l(4)
if_nz r4.x
LOAD
else
STORE
endif

// past an arm: 8
LOAD
if_nz l(0)
BARRIER
endif
STORE

// past a loop: 8
LOAD
loop
break
BARRIER
endloop
STORE

// by return: 1
ult r4.x, vThreadIDInGroupFlattened.x, l(4)
if_nz r4.x
LOAD
ret
BARRIER
endif
STORE

// by return from a loop: 1
loop
ult r4.x, vThreadIDInGroupFlattened.x, l(4)
if_nz r4.x
LOAD
ret
BARRIER
endif
break
endloop
STORE

// to another case: 4
and r4.x, vThreadIDInGroupFlattened.x, l(1)
switch r4.x
case l(0)
LOAD
break
case l(1)
STORE
break
endswitch

// from a subroutine: 8
call label0
STORE
ret
label label0
LOAD
