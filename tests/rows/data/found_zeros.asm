// a counter: 0.0 1.0
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
utof r2.x, r2.y
...
iadd r2.y, r2.y, l(1)
endloop

// a constant array: 0.0 1.0
dcl_immediateConstantBuffer { { 0, 0, 0, 0 }, { 1.0, 0, 0, 0 } }
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
mov r2.x, icb[r2.y + 0].x
...
iadd r2.y, r2.y, l(1)
endloop

// an element of a constant array: 0.0
dcl_immediateConstantBuffer { { 0, 0, 0, 0 }, { 1.0, 0, 0, 0 } }
mov r2.x, icb[0].x

// an array that is not written: 0.0
dcl_indexableTemp x0[2], 4
mov r2.x, x0[0].x

// an array: 0.0 1.0
dcl_indexableTemp x0[2], 4
mov x0[0].x, l(0)
mov x0[1].x, l(1.0)
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
mov r2.x, x0[r2.y + 0].x
...
iadd r2.y, r2.y, l(1)
endloop

// a float that counts down: 1.0 0.0
mov r2.x, l(1.0)
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
...
add r2.x, r2.x, l(-1.0)
iadd r2.y, r2.y, l(1)
endloop

// the first round's value: 0.0 1.0
mov r2.x, l(0)
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
...
mov r2.x, l(1.0)
iadd r2.y, r2.y, l(1)
endloop

// an if: 1.0 0.0
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
mov r2.x, l(1.0)
if_nz r2.y
mov r2.x, l(0)
endif
...
iadd r2.y, r2.y, l(1)
endloop

// a switch: 1.0 0.0
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
mov r2.x, l(1.0)
switch r2.y
case l(1)
mov r2.x, l(0)
break
endswitch
...
iadd r2.y, r2.y, l(1)
endloop

// a comparison: 0.0 1.0
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
ieq r2.x, r2.y, l(1)
and r2.x, r2.x, l(0x3f800000)
...
iadd r2.y, r2.y, l(1)
endloop

// a load outside: 0.0 1.0
dcl_resource_structured t1, 4
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
// at the index -1
iadd r2.w, r2.y, l(-1)
ld_structured r2.x, r2.w, l(0), t1.xxxx
...
iadd r2.y, r2.y, l(1)
endloop

// a bit of a mask: 0.0 1.0
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
movc r2.w, r2.y, l(0x3f800000), l(0)
or r2.x, r4.x, l(0x3f800000)
and r2.x, r2.x, r2.w
and r2.x, r2.x, l(0x3f800000)
...
iadd r2.y, r2.y, l(1)
endloop

// a logarithm: 0.0
mov r2.x, l(1.0)
log r2.x, r2.x

// an exponential: 0.0
mov r2.x, l(-200.0)
exp r2.x, r2.x

// an underflow: 0.0
mov r2.x, l(1e-30)
mul r2.x, r2.x, r2.x

// a comparison with 0: 0.0
dcl_resource_raw t1
ld_raw r2.x, r4.x, t1.x
if_z r2.x
...
endif

// an integer compared with 0: 0.0
dcl_resource_raw t1
ld_raw r2.y, l(0), t1.x
mov r2.x, l(1.0)
if_z r2.y
utof r2.x, r2.y
...
endif

// a constant buffer that a branch compares: 0.0
dcl_constantbuffer cb0[1], immediateIndexed
mov r2.x, cb0[0].x
if_z cb0[0].x
...
endif

// a group of one: 0.0
dcl_input vThreadIDInGroup.y
utof r2.x, vThreadIDInGroup.y

// a call: 1.0 0.0
mov r2.x, l(1.0)
mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
callc_nz r2.y, label0
...
iadd r2.y, r2.y, l(1)
endloop
