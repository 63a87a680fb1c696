// a product: 0xbf800000 0x0
and r0.x, r0.x, l(1)
imul null, r0.x, r0.x, l(0xbf800000)

// a product and a sum: 0x3f800000 0x80000000
and r0.x, r0.x, l(1)
imad r0.x, r0.x, l(0xbf800000), l(0x80000000)

// a product of no mask: 0xbf800000 0x0
not r0.x, r0.x
and r0.x, r0.x, l(1)
iadd r0.x, l(1), -r0.x
imul null, r0.x, r0.x, l(0xbf800000)

// a product with a mask: 0xbf800000 0x0
imul null, r0.x, r0.x, l(0x40800000)

// a sum: 0xbf800000 0x0
movc r0.x, r0.x, l(0xbf800005), l(5)
iadd r0.x, r0.x, l(-5)

// a product after an if: 0xbf800000 0x0
if_nz r0.x
mov r0.x, l(1)
else
mov r0.x, l(0)
endif
imul null, r0.x, r0.x, l(0xbf800000)

// a product in a loop: 0xbf800000 0x0
and r0.y, r0.x, l(1)
mov r0.x, l(0)
mov r1.x, l(0)
loop
uge r1.y, r1.x, l(1)
breakc_nz r1.y
imad r0.x, r0.y, l(0xbf800000), r0.x
iadd r1.x, r1.x, l(1)
endloop

// a stored number: 0xbf800000 0x0
store_raw u1.x, r1.x, l(0xbf800000)
ld_raw r0.y, r1.x, u1.x
movc r0.x, r0.x, r0.y, l(0)
