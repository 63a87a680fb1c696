cs_5_0
add r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
mul r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
mad r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
div r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
dp2 r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
dp3 r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
dp4 r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
min r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
max r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
frc r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
round_ne r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
round_ni r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
round_pi r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
round_z r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
exp r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
log r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
sqrt r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
rsq r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
rcp r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
sincos r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
eq r0.xyzw {min16f}, r1.xyzw, r1.xyzw
ne r0.xyzw {min16f}, r1.xyzw, r1.xyzw
ge r0.xyzw {min16f}, r1.xyzw, r1.xyzw
lt r0.xyzw {min16f}, r1.xyzw, r1.xyzw
iadd r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
imad r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
umad r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
imul r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
umul r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
udiv r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
uaddc r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
usubb r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
ineg r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
imax r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
imin r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
umax r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
umin r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
ieq r0.xyzw {min16f}, r1.xyzw, r1.xyzw
ine r0.xyzw {min16f}, r1.xyzw, r1.xyzw
ige r0.xyzw {min16f}, r1.xyzw, r1.xyzw
ilt r0.xyzw {min16f}, r1.xyzw, r1.xyzw
uge r0.xyzw {min16f}, r1.xyzw, r1.xyzw
ult r0.xyzw {min16f}, r1.xyzw, r1.xyzw
and r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
or r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
xor r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
not r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
ishl r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw
ishr r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw
ushr r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw
countbits r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
firstbit_hi r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
firstbit_lo r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
firstbit_shi r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
ubfe r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw, r1.xyzw
ibfe r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw, r1.xyzw
bfi r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw, r1.xyzw, r1.xyzw
bfrev r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
msad r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
ftoi r0.xyzw {min16f}, r1.xyzw
ftou r0.xyzw {min16f}, r1.xyzw
itof r0.xyzw {min16f}, r1.xyzw
utof r0.xyzw {min16f}, r1.xyzw
f32tof16 r0.xyzw {min16f}, r1.xyzw
f16tof32 r0.xyzw {min16f}, r1.xyzw
dadd r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
dmax r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
dmin r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
dmul r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
deq r0.xyzw {min16f}, r1.xyzw, r1.xyzw
dge r0.xyzw {min16f}, r1.xyzw, r1.xyzw
dlt r0.xyzw {min16f}, r1.xyzw, r1.xyzw
dne r0.xyzw {min16f}, r1.xyzw, r1.xyzw
dmov r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
dmovc r0.xyzw {min16f}, r1.xyzw, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
dtof r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
ftod r0.xyzw {min16f}, r1.xyzw
ddiv r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
dfma r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
drcp r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
dtoi r0.xyzw {min16f}, r1.xyzw
dtou r0.xyzw {min16f}, r1.xyzw
itod r0.xyzw {min16f}, r1.xyzw
utod r0.xyzw {min16f}, r1.xyzw
mov r0.xyzw {min16f}, r1.xyzw {def32 as min16f}
movc r0.xyzw {min16f}, r1.xyzw, r1.xyzw {def32 as min16f}, r1.xyzw {def32 as min16f}
swapc r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, r1.xyzw, r1.xyzw
if_z r1.xyzw
else 
endif 
loop 
endloop 
break 
breakc_z r1.xyzw
continue 
continuec_z r1.xyzw
switch r1.xyzw
  case r1.xyzw
  default 
endswitch 
ret 
retc_z r1.xyzw
call label0
callc_z r1.xyzw, label0
label label0
nop 
ld_uav_typed r0.xyzw {min16f}, r1.xyzw, t0.xyzw
store_uav_typed u0.xyzw, r1.xyzw, r1.xyzw
ld_raw r0.xyzw {min16f}, r1.xyzw, t0.xyzw
store_raw u0.xyzw, r1.xyzw, r1.xyzw
ld_structured r0.xyzw {min16f}, r1.xyzw, r1.xyzw, t0.xyzw
store_structured u0.xyzw, r1.xyzw, r1.xyzw, r1.xyzw
ld_uav_typed_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, t0.xyzw
ld_raw_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, t0.xyzw
ld_structured_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, r1.xyzw, t0.xyzw
bufinfo r0.xyzw {min16f}, t0.xyzw
ld r0.xyzw {min16f}, r1.xyzw, t0.xyzw
ld_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, t0.xyzw
ldms r0.xyzw {min16f}, r1.xyzw, t0.xyzw, r1.xyzw
ldms_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, t0.xyzw, r1.xyzw
sample_c_lz r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0, r1.xyzw
sample_c_lz_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0, r1.xyzw
sample_l r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0, r1.xyzw
sample_l_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0, r1.xyzw
sample_d r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0, r1.xyzw, r1.xyzw
sample_d_cl_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0, r1.xyzw, r1.xyzw, r1.xyzw
gather4 r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0
gather4_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0
gather4_c r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0, r1.xyzw
gather4_c_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, t0.xyzw, s0, r1.xyzw
gather4_po r0.xyzw {min16f}, r1.xyzw, r1.xyzw, t0.xyzw, s0
gather4_po_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, r1.xyzw, t0.xyzw, s0
gather4_po_c r0.xyzw {min16f}, r1.xyzw, r1.xyzw, t0.xyzw, s0, r1.xyzw
gather4_po_c_s r0.xyzw {min16f}, r0.xyzw {min16f}, r1.xyzw, r1.xyzw, t0.xyzw, s0, r1.xyzw
resinfo r0.xyzw {min16f}, r1.xyzw, t0.xyzw
sampleinfo r0.xyzw {min16f}, t0.xyzw
samplepos r0.xyzw {min16f}, t0.xyzw, r1.xyzw
check_access_fully_mapped r0.xyzw {min16f}, r1.xyzw
atomic_and u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_and r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw
atomic_or u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_or r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw
atomic_xor u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_xor r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw
atomic_cmp_store u0.xyzw, r1.xyzw, r1.xyzw, r1.xyzw
imm_atomic_cmp_exch r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw, r1.xyzw
atomic_iadd u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_iadd r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw
atomic_imax u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_imax r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw
atomic_imin u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_imin r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw
atomic_umax u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_umax r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw
atomic_umin u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_umin r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_exch r0.xyzw {min16f}, u0.xyzw, r1.xyzw, r1.xyzw
imm_atomic_alloc r0.xyzw {min16f}, u0.xyzw
imm_atomic_consume r0.xyzw {min16f}, u0.xyzw
sync
add r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
mul r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
mad r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}, r1.xyzw {min16f as def32}
div r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
dp2 r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
dp3 r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
dp4 r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
min r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
max r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
frc r0.xyzw, r1.xyzw {min16f as def32}
round_ne r0.xyzw, r1.xyzw {min16f as def32}
round_ni r0.xyzw, r1.xyzw {min16f as def32}
round_pi r0.xyzw, r1.xyzw {min16f as def32}
round_z r0.xyzw, r1.xyzw {min16f as def32}
exp r0.xyzw, r1.xyzw {min16f as def32}
log r0.xyzw, r1.xyzw {min16f as def32}
sqrt r0.xyzw, r1.xyzw {min16f as def32}
rsq r0.xyzw, r1.xyzw {min16f as def32}
rcp r0.xyzw, r1.xyzw {min16f as def32}
sincos r0.xyzw, r0.xyzw, r1.xyzw {min16f as def32}
eq r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
ne r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
ge r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
lt r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
iadd r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
imad r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}, r1.xyzw {min16f as def32}
umad r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}, r1.xyzw {min16f as def32}
imul r0.xyzw, r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
umul r0.xyzw, r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
udiv r0.xyzw, r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
uaddc r0.xyzw, r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
usubb r0.xyzw, r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
ineg r0.xyzw, r1.xyzw {min16f as def32}
imax r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
imin r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
umax r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
umin r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
ieq r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
ine r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
ige r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
ilt r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
uge r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
ult r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
and r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
or r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
xor r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
not r0.xyzw, r1.xyzw {min16f as def32}
ishl r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u}
ishr r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u}
ushr r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u}
countbits r0.xyzw, r1.xyzw {min16f as def32}
firstbit_hi r0.xyzw, r1.xyzw {min16f as def32}
firstbit_lo r0.xyzw, r1.xyzw {min16f as def32}
firstbit_shi r0.xyzw, r1.xyzw {min16f as def32}
ubfe r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u}, r1.xyzw {min16f}
ibfe r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u}, r1.xyzw {min16f}
bfi r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u}, r1.xyzw {min16f}, r1.xyzw {min16u}
bfrev r0.xyzw, r1.xyzw {min16f as def32}
msad r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}, r1.xyzw {min16f as def32}
ftoi r0.xyzw, r1.xyzw {min16f}
ftou r0.xyzw, r1.xyzw {min16f}
itof r0.xyzw, r1.xyzw {min16f}
utof r0.xyzw, r1.xyzw {min16f}
f32tof16 r0.xyzw, r1.xyzw {min16f}
f16tof32 r0.xyzw, r1.xyzw {min16f}
dadd r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
dmax r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
dmin r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
dmul r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
deq r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
dge r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
dlt r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
dne r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}
dmov r0.xyzw, r1.xyzw {min16f as def32}
dmovc r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u as def32}, r1.xyzw {min16f as def32}
dtof r0.xyzw, r1.xyzw {min16f as def32}
ftod r0.xyzw, r1.xyzw {min16f}
ddiv r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}
dfma r0.xyzw, r1.xyzw {min16f as def32}, r1.xyzw {min16u as def32}, r1.xyzw {min16f as def32}
drcp r0.xyzw, r1.xyzw {min16f as def32}
dtoi r0.xyzw, r1.xyzw {min16f}
dtou r0.xyzw, r1.xyzw {min16f}
itod r0.xyzw, r1.xyzw {min16f}
utod r0.xyzw, r1.xyzw {min16f}
mov r0.xyzw, r1.xyzw {min16f as def32}
movc r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u as def32}, r1.xyzw {min16f as def32}
swapc r0.xyzw, r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
if_z r1.xyzw {min16f}
else 
endif 
loop 
endloop 
break 
breakc_z r1.xyzw {min16f}
continue 
continuec_z r1.xyzw {min16f}
switch r1.xyzw {min16f}
  case r1.xyzw {min16f}
  default 
endswitch 
ret 
retc_z r1.xyzw {min16f}
call label0 {min16f}
callc_z r1.xyzw {min16f}, label0 {min16u}
label label0 {min16f}
nop 
ld_uav_typed r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}
store_uav_typed u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
ld_raw r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}
store_raw u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
ld_structured r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}, t0.xyzw {min16f}
store_structured u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}, r1.xyzw {min16u}
ld_uav_typed_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}
ld_raw_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}
ld_structured_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}, t0.xyzw {min16f}
bufinfo r0.xyzw, t0.xyzw {min16f}
ld r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}
ld_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}
ldms r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, r1.xyzw {min16f}
ldms_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, r1.xyzw {min16f}
sample_c_lz r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}, r1.xyzw {min16u}
sample_c_lz_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}, r1.xyzw {min16u}
sample_l r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}, r1.xyzw {min16u}
sample_l_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}, r1.xyzw {min16u}
sample_d r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
sample_d_cl_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}, r1.xyzw {min16u}
gather4 r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}
gather4_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}
gather4_c r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}, r1.xyzw {min16u}
gather4_c_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}, s0 {min16f}, r1.xyzw {min16u}
gather4_po r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}, t0.xyzw {min16f}, s0 {min16u}
gather4_po_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}, t0.xyzw {min16f}, s0 {min16u}
gather4_po_c r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}, t0.xyzw {min16f}, s0 {min16u}, r1.xyzw {min16f}
gather4_po_c_s r0.xyzw, r0.xyzw, r1.xyzw {min16f}, r1.xyzw {min16u}, t0.xyzw {min16f}, s0 {min16u}, r1.xyzw {min16f}
resinfo r0.xyzw, r1.xyzw {min16f}, t0.xyzw {min16u}
sampleinfo r0.xyzw, t0.xyzw {min16f}
samplepos r0.xyzw, t0.xyzw {min16f}, r1.xyzw {min16u}
check_access_fully_mapped r0.xyzw, r1.xyzw {min16f}
atomic_and u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_and r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
atomic_or u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_or r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
atomic_xor u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_xor r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
atomic_cmp_store u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}, r1.xyzw {min16u}
imm_atomic_cmp_exch r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}, r1.xyzw {min16u}
atomic_iadd u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_iadd r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
atomic_imax u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_imax r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
atomic_imin u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_imin r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
atomic_umax u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_umax r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
atomic_umin u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_umin r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_exch r0.xyzw, u0.xyzw {min16f}, r1.xyzw {min16u}, r1.xyzw {min16f}
imm_atomic_alloc r0.xyzw, u0.xyzw {min16f}
imm_atomic_consume r0.xyzw, u0.xyzw {min16f}
sync
add r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
mul r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
mad r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}, r1.xyzw {min16i}
div r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
dp2 r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
dp3 r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
dp4 r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
min r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
max r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
frc r0.xyzw {min16i}, r1.xyzw {min16i}
round_ne r0.xyzw {min16i}, r1.xyzw {min16i}
round_ni r0.xyzw {min16i}, r1.xyzw {min16i}
round_pi r0.xyzw {min16i}, r1.xyzw {min16i}
round_z r0.xyzw {min16i}, r1.xyzw {min16i}
exp r0.xyzw {min16i}, r1.xyzw {min16i}
log r0.xyzw {min16i}, r1.xyzw {min16i}
sqrt r0.xyzw {min16i}, r1.xyzw {min16i}
rsq r0.xyzw {min16i}, r1.xyzw {min16i}
rcp r0.xyzw {min16i}, r1.xyzw {min16i}
sincos r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}
eq r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
ne r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
ge r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
lt r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
iadd r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
imad r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}, r1.xyzw {min16i}
umad r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}, r1.xyzw {min16i}
imul r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
umul r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
udiv r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
uaddc r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
usubb r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
ineg r0.xyzw {min16i}, r1.xyzw {min16i}
imax r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
imin r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
umax r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
umin r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
ieq r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
ine r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
ige r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
ilt r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
uge r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
ult r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
and r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
or r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
xor r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
not r0.xyzw {min16i}, r1.xyzw {min16i}
ishl r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
ishr r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
ushr r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
countbits r0.xyzw {min16i}, r1.xyzw {min16i}
firstbit_hi r0.xyzw {min16i}, r1.xyzw {min16i}
firstbit_lo r0.xyzw {min16i}, r1.xyzw {min16i}
firstbit_shi r0.xyzw {min16i}, r1.xyzw {min16i}
ubfe r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
ibfe r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
bfi r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
bfrev r0.xyzw {min16i}, r1.xyzw {min16i}
msad r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}, r1.xyzw {min16i}
ftoi r0.xyzw {min16i}, r1.xyzw {min16i}
ftou r0.xyzw {min16i}, r1.xyzw {min16i}
itof r0.xyzw {min16i}, r1.xyzw {min16i}
utof r0.xyzw {min16i}, r1.xyzw {min16i}
f32tof16 r0.xyzw {min16i}, r1.xyzw {min16i}
f16tof32 r0.xyzw {min16i}, r1.xyzw {min16i}
dadd r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
dmax r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
dmin r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
dmul r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
deq r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
dge r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
dlt r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
dne r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
dmov r0.xyzw {min16i}, r1.xyzw {min16i}
dmovc r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}, r1.xyzw {min16i}
dtof r0.xyzw {min16i}, r1.xyzw {min16i}
ftod r0.xyzw {min16i}, r1.xyzw {min16i}
ddiv r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}
dfma r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}, r1.xyzw {min16i}
drcp r0.xyzw {min16i}, r1.xyzw {min16i}
dtoi r0.xyzw {min16i}, r1.xyzw {min16i}
dtou r0.xyzw {min16i}, r1.xyzw {min16i}
itod r0.xyzw {min16i}, r1.xyzw {min16i}
utod r0.xyzw {min16i}, r1.xyzw {min16i}
mov r0.xyzw {min16i}, r1.xyzw {min16i}
movc r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f as min16i}, r1.xyzw {min16i}
swapc r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
if_z r1.xyzw {min16i}
else 
endif 
loop 
endloop 
break 
breakc_z r1.xyzw {min16i}
continue 
continuec_z r1.xyzw {min16i}
switch r1.xyzw {min16i}
  case r1.xyzw {min16i}
  default 
endswitch 
ret 
retc_z r1.xyzw {min16i}
call label0 {min16i}
callc_z r1.xyzw {min16i}, label0 {min2_8f}
label label0 {min16i}
nop 
ld_uav_typed r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}
store_uav_typed u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
ld_raw r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}
store_raw u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
ld_structured r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, t0.xyzw {min16i}
store_structured u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
ld_uav_typed_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}
ld_raw_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}
ld_structured_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, t0.xyzw {min16i}
bufinfo r0.xyzw {min16i}, t0.xyzw {min16i}
ld r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}
ld_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}
ldms r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, r1.xyzw {min16i}
ldms_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, r1.xyzw {min16i}
sample_c_lz r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}, r1.xyzw {min2_8f}
sample_c_lz_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}, r1.xyzw {min2_8f}
sample_l r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}, r1.xyzw {min2_8f}
sample_l_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}, r1.xyzw {min2_8f}
sample_d r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
sample_d_cl_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
gather4 r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}
gather4_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}
gather4_c r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}, r1.xyzw {min2_8f}
gather4_c_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}, s0 {min16i}, r1.xyzw {min2_8f}
gather4_po r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, t0.xyzw {min16i}, s0 {min2_8f}
gather4_po_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, t0.xyzw {min16i}, s0 {min2_8f}
gather4_po_c r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, t0.xyzw {min16i}, s0 {min2_8f}, r1.xyzw {min16i}
gather4_po_c_s r0.xyzw {min16i}, r0.xyzw {min16i}, r1.xyzw {min16i}, r1.xyzw {min2_8f}, t0.xyzw {min16i}, s0 {min2_8f}, r1.xyzw {min16i}
resinfo r0.xyzw {min16i}, r1.xyzw {min16i}, t0.xyzw {min2_8f}
sampleinfo r0.xyzw {min16i}, t0.xyzw {min16i}
samplepos r0.xyzw {min16i}, t0.xyzw {min16i}, r1.xyzw {min2_8f}
check_access_fully_mapped r0.xyzw {min16i}, r1.xyzw {min16i}
atomic_and u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_and r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
atomic_or u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_or r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
atomic_xor u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_xor r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
atomic_cmp_store u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
imm_atomic_cmp_exch r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}, r1.xyzw {min2_8f}
atomic_iadd u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_iadd r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
atomic_imax u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_imax r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
atomic_imin u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_imin r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
atomic_umax u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_umax r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
atomic_umin u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_umin r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_exch r0.xyzw {min16i}, u0.xyzw {min16i}, r1.xyzw {min2_8f}, r1.xyzw {min16i}
imm_atomic_alloc r0.xyzw {min16i}, u0.xyzw {min16i}
imm_atomic_consume r0.xyzw {min16i}, u0.xyzw {min16i}
sync
// Approximately 0 instruction slots used
