// stored to g#
dcl_tgsm_raw g0, 256
store_raw g0.x, l(4), l(0)
ld_raw r2.x, l(4), g0.x

// stored to each thread's dword of g#
dcl_tgsm_raw g0, 256
store_raw g0.x, r4.x, l(0)
ld_raw r2.x, r4.x, g0.x

// stored to g# in a branch
dcl_tgsm_raw g0, 256
ult r6.x, vThreadID.x, l(20)
if_nz r6.x
store_raw g0.x, r4.x, l(0)
ld_raw r2.x, r4.x, g0.x
...
endif

// a component of a vector in g#
dcl_tgsm_structured g0, 16, 16
mov r6.xyzw, r0.xxxx
mov r6.z, l(0)
store_structured g0.xyzw, vThreadID.x, l(0), r6.xyzw
ld_structured r6.xyzw, vThreadID.x, l(0), g0.xyzw
mov r2.x, r6.z

// copied in g#
dcl_tgsm_raw g0, 256
dcl_tgsm_raw g1, 256
store_raw g0.x, r4.x, l(0)
ld_raw r6.x, r4.x, g0.x
store_raw g1.x, r4.x, r6.x
ld_raw r2.x, r4.x, g1.x

// an integer from g#
dcl_tgsm_raw g0, 256
store_raw g0.x, r4.x, l(0)
ld_raw r6.x, r4.x, g0.x
utof r2.x, r6.x

// one from g#, less one
dcl_tgsm_raw g0, 256
store_raw g0.x, r4.x, l(1.0)
ld_raw r6.x, r4.x, g0.x
add r2.x, r6.x, l(-1.0)

// one of two numbers in g#
dcl_tgsm_raw g0, 256
store_raw g0.x, l(4), l(0)
store_raw g0.x, l(8), l(1.0)
ld_raw r2.x, l(4), g0.x

// exchanged in g#
dcl_tgsm_raw g0, 256
store_raw g0.x, r4.x, l(0)
imm_atomic_exch r2.x, g0, r4.x, l(0x3f800000)

// stored to u#: u1=zeros
dcl_uav_raw u1
store_raw u1.x, l(4), l(0)
ld_raw r2.x, l(4), u1.x

// stored to each thread's dword of u#: u1=zeros
dcl_uav_raw u1
store_raw u1.x, r4.x, l(0)
ld_raw r2.x, r4.x, u1.x

// stored to a coherent u#: u1=zeros
dcl_uav_raw_glc u1
store_raw u1.x, r4.x, l(0)
ld_raw r2.x, r4.x, u1.x

// stored to structures of u#: u1=rows
dcl_uav_structured u1, 16
store_structured u1.xyzw, vThreadID.x, l(0), l(0,0,0,0)
ld_structured r2.x, vThreadID.x, l(8), u1.x

// stored to a texture: u1=texture
dcl_uav_typed_texture2d (float,float,float,float) u1
store_uav_typed u1.xyzw, l(0,0,0,0), l(0,0,0,0)
ld_uav_typed_indexable(texture2d)(float,float,float,float) r2.x, l(0,0,0,0), u1.xyzw

// a component of a vector in u#: u1=rows
dcl_uav_structured u1, 16
mov r6.xyzw, r0.xxxx
mov r6.z, l(0)
store_structured u1.xyzw, vThreadID.x, l(0), r6.xyzw
ld_structured r6.xyzw, vThreadID.x, l(0), u1.xyzw
mov r2.x, r6.z

// copied from u# to g#: u1=zeros
dcl_uav_raw u1
dcl_tgsm_raw g0, 256
store_raw u1.x, l(0), l(0)
ld_raw r6.x, l(0), u1.x
store_raw g0.x, l(0), r6.x
ld_raw r2.x, l(0), g0.x

// a counter stored to u#: u1=zeros
dcl_uav_raw u1
mov r7.x, l(0)
loop
uge r7.y, r7.x, l(1)
breakc_nz r7.y
utof r7.z, r7.x
store_raw u1.x, l(0), r7.z
ld_raw r2.x, l(0), u1.x
...
iadd r7.x, r7.x, l(1)
endloop

// a double from u#: u1=zeros
dcl_uav_raw u1
mov r6.xy, l(0,0,0,0)
store_raw u1.xy, l(0), r6.xy
ld_raw r6.xy, l(0), u1.xy
dtof r2.x, r6.xy

// bits of a number in u#: u1=zeros
dcl_uav_raw u1
store_raw u1.x, l(0), l(3)
ld_raw r6.x, l(0), u1.x
and r6.x, r6.x, l(4)
utof r2.x, r6.x

// stored to x#
dcl_indexableTemp x0[16], 4
mov x0[vThreadID.x+0].x, l(0)
mov r2.x, x0[vThreadID.x+0].x

// the mips but one: t1=texture
dcl_resource_texture2d (float,float,float,float) t1
resinfo_indexable(texture2d)(float,float,float,float)_uint r6.x, l(0), t1.w
iadd r6.x, r6.x, l(-1)
utof r2.x, r6.x

// the mips but one, as floats: t1=texture
dcl_resource_texture2d (float,float,float,float) t1
resinfo_indexable(texture2d)(float,float,float,float) r6.x, l(0), t1.w
add r2.x, r6.x, l(-1.0)

// the lacking extent of a texture: t1=texture
dcl_resource_texture2d (float,float,float,float) t1
resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), t1.z

// the lacking extent of a 1D texture: t1=texels
dcl_resource_texture1d (float,float,float,float) t1
resinfo_indexable(texture1d)(float,float,float,float) r2.x, l(0), t1.y

// the extent of a lacking mip: t1=texture
dcl_resource_texture2d (float,float,float,float) t1
resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(5), t1.x

// the extent of a null texture: t1=null
dcl_resource_texture2d (float,float,float,float) t1
resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), t1.x

// the mips of a null texture: t1=null
dcl_resource_texture2d (float,float,float,float) t1
resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), t1.w

// the slices of a null texture: t1=null
dcl_resource_texture2darray (float,float,float,float) t1
resinfo_indexable(texture2darray)(float,float,float,float) r2.x, l(0), t1.z

// the lacking extent of a UAV: u1=texture
dcl_uav_typed_texture2d (float,float,float,float) u1
resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), u1.z

// the extent of a null UAV: u1=null
dcl_uav_typed_texture2d (float,float,float,float) u1
resinfo_indexable(texture2d)(float,float,float,float) r2.x, l(0), u1.x

// the slices of a null UAV: u1=null
dcl_uav_typed_texture2darray (float,float,float,float) u1
resinfo_indexable(texture2darray)(float,float,float,float) r2.x, l(0), u1.z

// the samples of a null texture: t1=null
dcl_resource_texture2dms(4) (float,float,float,float) t1
sampleinfo r2.x, t1.x

// the size of a null buffer: t1=null
dcl_resource_buffer (float,float,float,float) t1
bufinfo_indexable(buffer)(float,float,float,float) r6.x, t1.x
utof r2.x, r6.x

// the size of a null typed UAV: u1=null
dcl_uav_typed_buffer (float,float,float,float) u1
bufinfo_indexable(buffer)(float,float,float,float) r6.x, u1.x
utof r2.x, r6.x

// the structures but one: t1=row
dcl_resource_structured t1, 16
bufinfo_indexable(structured_buffer,stride=16)(mixed,mixed,mixed,mixed) r6.x, t1.x
iadd r6.x, r6.x, l(-1)
utof r2.x, r6.x

// the size of a null raw buffer, in a branch: t1=null
dcl_resource_raw t1
bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r6.x, t1.x
ult r6.y, r6.x, l(4)
utof r2.x, r6.x
if_nz r6.y
...
endif

// a texel of a null texture: t1=null
dcl_resource_texture2d (float,float,float,float) t1
ld_indexable(texture2d)(float,float,float,float) r2.x, l(0,0,0,0), t1.x

// a sample of a null texture: t1=null
dcl_resource_texture2dms(4) (float,float,float,float) t1
ldms_indexable(texture2dms)(float,float,float,float) r2.x, l(0,0,0,0), t1.x, l(0)

// a component that the format lacks: t1=texture
dcl_resource_texture2d (float,float,float,float) t1
ld_indexable(texture2d)(float,float,float,float) r2.x, l(0,0,0,0), t1.y

// an integer of a null UAV: u1=null
dcl_uav_typed_texture2d (uint,uint,uint,uint) u1
ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) r6.x, l(0,0,0,0), u1.x
utof r2.x, r6.x

// a texel of a null UAV: u1=null
dcl_uav_typed_texture2d (float,float,float,float) u1
ld_uav_typed_indexable(texture2d)(float,float,float,float) r2.x, l(0,0,0,0), u1.x

// an element of a null UAV: u1=null
dcl_uav_typed_buffer (float,float,float,float) u1
ld_uav_typed_indexable(buffer)(float,float,float,float) r2.x, l(0,0,0,0), u1.x

// a dword of a null buffer: t1=null
dcl_resource_raw t1
bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r6.x, t1.x
ult r6.y, r6.x, l(4)
ld_raw r2.x, l(0), t1.x
if_nz r6.y
...
endif

// a structure of a null buffer: t1=null
dcl_resource_structured t1, 16
ld_structured r2.x, l(0), l(0), t1.x

// a constant buffer's integer in a branch: cb0=zeros
dcl_constantbuffer cb0[4], immediateIndexed
utof r2.x, cb0[0].x
ult r6.x, cb0[0].x, l(3)
if_nz r6.x
...
endif

// a loop's limit but one: cb0=ones
dcl_constantbuffer cb0[4], immediateIndexed
iadd r6.z, cb0[0].x, l(-1)
utof r2.x, r6.z
mov r6.x, l(0)
loop
uge r6.y, r6.x, cb0[0].x
breakc_nz r6.y
...
iadd r6.x, r6.x, l(1)
endloop

// two masks: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
and r6.x, r6.x, l(1)
and r6.x, r6.x, l(2)
utof r2.x, r6.x

// two right shifts: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
ushr r6.x, r6.x, l(16)
ushr r6.x, r6.x, l(16)
utof r2.x, r6.x

// two left shifts: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
ishl r6.x, r6.x, l(20)
ishl r6.x, r6.x, l(12)
utof r2.x, r6.x

// a number and its complement: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
not r6.y, r6.x
and r6.x, r6.x, r6.y
utof r2.x, r6.x

// a sum less its terms: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
iadd r6.y, r6.x, r6.x
iadd r6.y, r6.y, -r6.x
iadd r6.x, r6.y, -r6.x
utof r2.x, r6.x

// a successor less its parts: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
iadd r6.y, r6.x, l(1)
iadd r6.y, r6.y, -r6.x
iadd r6.x, r6.y, l(-1)
utof r2.x, r6.x

// a product by minus one and the number: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
imul null, r6.y, r6.x, l(-1)
iadd r6.x, r6.x, r6.y
utof r2.x, r6.x

// a magnitude below 0: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
utof r6.x, r6.x
lt r6.x, |r6.x|, l(0)
and r6.x, r6.x, l(1)
utof r2.x, r6.x

// an unsigned number below 0: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
utof r6.x, r6.x
lt r6.x, r6.x, l(0)
and r6.x, r6.x, l(1)
utof r2.x, r6.x

// a square below 0: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
mul r6.x, r0.x, r0.x
lt r6.x, r6.x, l(0)
and r6.x, r6.x, l(1)
utof r2.x, r6.x

// a saturated number above 1: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
mov_sat r6.x, r0.x
lt r6.x, l(1.0), r6.x
and r6.x, r6.x, l(1)
utof r2.x, r6.x

// the count of no bits: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
ushr r6.x, r6.x, l(31)
ushr r6.x, r6.x, l(1)
countbits r6.x, r6.x
utof r2.x, r6.x

// a minimum with 0: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
ushr r6.y, r6.x, l(31)
ushr r6.y, r6.y, l(1)
umin r6.x, r6.x, r6.y
utof r2.x, r6.x

// a product by 0: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
and r6.y, r6.x, l(1)
and r6.y, r6.y, l(2)
imad r6.x, r6.x, r6.y, r6.y
utof r2.x, r6.x

// a maximum below 0: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
imax r6.x, r6.x, l(0)
ilt r6.x, r6.x, l(0)
and r6.x, r6.x, l(1)
utof r2.x, r6.x

// an insertion of no bits: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
and r6.x, r6.x, l(15)
bfi r6.x, l(4), l(0), l(0), r6.x
utof r2.x, r6.x

// a number and its copy: t1=integers
dcl_resource_raw t1
dcl_tgsm_raw g0, 256
ld_raw r6.x, r4.x, t1.x
store_raw g0.x, r4.x, r6.x
ld_raw r6.y, r4.x, g0.x
xor r6.x, r6.x, r6.y
utof r2.x, r6.x

// a number that differs from its copy: t1=integers
dcl_resource_raw t1
dcl_tgsm_raw g0, 256
ld_raw r6.x, r4.x, t1.x
store_raw g0.x, r4.x, r6.x
ld_raw r6.y, r4.x, g0.x
ine r6.x, r6.x, r6.y
and r6.x, r6.x, l(1)
utof r2.x, r6.x

// a masked number above its mask: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
and r6.x, r6.x, l(7)
ult r6.x, l(8), r6.x
and r6.x, r6.x, l(1)
utof r2.x, r6.x

// the upper bits of a thread's number: t1=integers
dcl_input vThreadIDInGroup.x
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
ushr r6.x, vThreadIDInGroup.x, l(4)
utof r2.x, r6.x

// a mask of a magnitude below 0: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
utof r6.x, r6.x
lt r6.x, |r6.x|, l(0)
and r2.x, r6.x, l(0x3f800000)

// the sign of a masked number: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
and r6.x, r6.x, l(0xff)
and r2.x, r6.x, l(0x80000000)

// a negative number, saturated: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
mov_sat r2.x, -|r0.x|

// the fraction of an integer: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
utof r6.x, r6.x
frc r2.x, r6.x

// a half of no bits: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
ushr r6.x, r6.x, l(16)
ushr r6.x, r6.x, l(16)
f16tof32 r2.x, r6.x

// no bits but the sign: t1=integers -0
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
ushr r6.x, r6.x, l(16)
ushr r6.x, r6.x, l(16)
or r2.x, r6.x, l(0x80000000)

// set bits less their value: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
or r6.x, r6.x, l(255)
and r6.x, r6.x, l(255)
iadd r6.x, r6.x, l(-255)
utof r2.x, r6.x

// a double's magnitude below 0: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
ftod r6.zw, r6.x
dlt r6.y, |r6.zwzw|, d(0.0l, 0.0l)
and r2.x, r6.y, l(0x3f800000)

// a quotient by a larger number: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
ushr r6.x, r6.x, l(16)
udiv r6.x, null, r6.x, l(0x10000)
utof r2.x, r6.x

// a choice by the branch's condition: t1=floats
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
lt r6.y, r6.x, l(1000.0)
movc r2.x, r6.y, l(0), r6.x
if_nz r6.y
...
endif

// a mask of the condition that failed: t1=floats
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
lt r6.y, l(1000.0), r6.x
and r2.x, r6.y, l(0x3f800000)
if_z r6.y
...
endif

// a mask of the condition that did not return: t1=floats
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
lt r6.y, l(1000.0), r6.x
and r2.x, r6.y, l(0x3f800000)
retc_nz r6.y

// a mask of the condition that did not break: t1=integers
dcl_resource_raw t1
ld_raw r6.x, l(0), t1.x
mov r6.w, l(0)
loop
uge r6.y, r6.w, r6.x
and r2.x, r6.y, l(0x3f800000)
breakc_nz r6.y
...
iadd r6.w, r6.w, r6.x
endloop

// a difference in the first round: t1=integers
dcl_resource_raw t1
ld_raw r6.x, r4.x, t1.x
mov r6.y, r6.x
mov r7.x, l(0)
loop
uge r7.y, r7.x, l(1)
breakc_nz r7.y
xor r6.w, r6.x, r6.y
utof r2.x, r6.w
...
iadd r6.y, r6.y, l(5)
iadd r7.x, r7.x, l(1)
endloop

// a difference of equal numbers: t1=zeros
dcl_resource_raw t1
ld_raw r6.x, l(0), t1.x
ld_raw r6.z, l(4), t1.x
ieq r6.y, r6.x, r6.z
iadd r6.w, r6.x, -r6.z
utof r2.x, r6.w
if_nz r6.y
...
endif

// a thread's number less its parts
dcl_input vThreadIDInGroup.x
dcl_input vThreadGroupID.x
imad r6.x, vThreadGroupID.x, l(10), vThreadIDInGroup.x
iadd r6.x, vThreadID.x, -r6.x
utof r2.x, r6.x
