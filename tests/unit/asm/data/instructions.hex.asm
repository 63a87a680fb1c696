cs_5_0
add r0.xy, -r1.yyzw, |r2.zyzw|
add r0.xyzw, l(0x3f800000, 0x00000000, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000000, 0x00000000, 0xc0490fdb)
add r0.xyzw, l(0xffffffba), l(0xffffffba)
add_sat [precise(x)] r0.xy, -r1.yyzw, |r2.zyzw|
mul r0.xy, -r1.yyzw, |r2.zyzw|
mul r0.xyzw, l(0x3f800000, 0x00000001, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000001, 0x00000000, 0xc0490fdb)
mul r0.xyzw, l(0xffffffbb), l(0xffffffbb)
mul_sat [precise(y)] r0.xy, -r1.yyzw, |r2.zyzw|
mad r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
mad r0.xyzw, l(0x3f800000, 0x00000002, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000002, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000002, 0x00000000, 0xc0490fdb)
mad r0.xyzw, l(0xffffffbc), l(0xffffffbc), l(0xffffffbc)
mad_sat [precise(xy)] r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
div r0.xy, -r1.yyzw, |r2.zyzw|
div r0.xyzw, l(0x3f800000, 0x00000003, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000003, 0x00000000, 0xc0490fdb)
div r0.xyzw, l(0xffffffbd), l(0xffffffbd)
div_sat [precise(z)] r0.xy, -r1.yyzw, |r2.zyzw|
dp2 r0.xy, -r1.yyzw, |r2.zyzw|
dp2 r0.xyzw, l(0x3f800000, 0x00000004, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000004, 0x00000000, 0xc0490fdb)
dp2 r0.xyzw, l(0xffffffbe), l(0xffffffbe)
dp2_sat [precise(xz)] r0.xy, -r1.yyzw, |r2.zyzw|
dp3 r0.xy, -r1.yyzw, |r2.zyzw|
dp3 r0.xyzw, l(0x3f800000, 0x00000005, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000005, 0x00000000, 0xc0490fdb)
dp3 r0.xyzw, l(0xffffffbf), l(0xffffffbf)
dp3_sat [precise(yz)] r0.xy, -r1.yyzw, |r2.zyzw|
dp4 r0.xy, -r1.yyzw, |r2.zyzw|
dp4 r0.xyzw, l(0x3f800000, 0x00000006, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000006, 0x00000000, 0xc0490fdb)
dp4 r0.xyzw, l(0xffffffc0), l(0xffffffc0)
dp4_sat [precise(xyz)] r0.xy, -r1.yyzw, |r2.zyzw|
min r0.xy, -r1.yyzw, |r2.zyzw|
min r0.xyzw, l(0x3f800000, 0x00000007, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000007, 0x00000000, 0xc0490fdb)
min r0.xyzw, l(0xffffffc1), l(0xffffffc1)
min_sat [precise(w)] r0.xy, -r1.yyzw, |r2.zyzw|
max r0.xy, -r1.yyzw, |r2.zyzw|
max r0.xyzw, l(0x3f800000, 0x00000008, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000008, 0x00000000, 0xc0490fdb)
max r0.xyzw, l(0xffffffc2), l(0xffffffc2)
max_sat [precise(xw)] r0.xy, -r1.yyzw, |r2.zyzw|
frc r0.xy, -r1.yyzw
frc r0.xyzw, l(0x3f800000, 0x00000009, 0x00000000, 0xc0490fdb)
frc r0.xyzw, l(0xffffffc3)
frc_sat [precise(yw)] r0.xy, -r1.yyzw
round_ne r0.xy, -r1.yyzw
round_ne r0.xyzw, l(0x3f800000, 0x0000000a, 0x00000000, 0xc0490fdb)
round_ne r0.xyzw, l(0xffffffc4)
round_ne_sat [precise(xyw)] r0.xy, -r1.yyzw
round_ni r0.xy, -r1.yyzw
round_ni r0.xyzw, l(0x3f800000, 0x0000000b, 0x00000000, 0xc0490fdb)
round_ni r0.xyzw, l(0xffffffc5)
round_ni_sat [precise(zw)] r0.xy, -r1.yyzw
round_pi r0.xy, -r1.yyzw
round_pi r0.xyzw, l(0x3f800000, 0x0000000c, 0x00000000, 0xc0490fdb)
round_pi r0.xyzw, l(0xffffffc6)
round_pi_sat [precise(xzw)] r0.xy, -r1.yyzw
round_z r0.xy, -r1.yyzw
round_z r0.xyzw, l(0x3f800000, 0x0000000d, 0x00000000, 0xc0490fdb)
round_z r0.xyzw, l(0xffffffc7)
round_z_sat [precise(yzw)] r0.xy, -r1.yyzw
exp r0.xy, -r1.yyzw
exp r0.xyzw, l(0x3f800000, 0x0000000e, 0x00000000, 0xc0490fdb)
exp r0.xyzw, l(0xffffffc8)
exp_sat [precise] r0.xy, -r1.yyzw
log r0.xy, -r1.yyzw
log r0.xyzw, l(0x3f800000, 0x0000000f, 0x00000000, 0xc0490fdb)
log r0.xyzw, l(0xffffffc9)
log_sat [precise(x)] r0.xy, -r1.yyzw
sqrt r0.xy, -r1.yyzw
sqrt r0.xyzw, l(0x3f800000, 0x00000010, 0x00000000, 0xc0490fdb)
sqrt r0.xyzw, l(0xffffffca)
sqrt_sat [precise(y)] r0.xy, -r1.yyzw
rsq r0.xy, -r1.yyzw
rsq r0.xyzw, l(0x3f800000, 0x00000011, 0x00000000, 0xc0490fdb)
rsq r0.xyzw, l(0xffffffcb)
rsq_sat [precise(xy)] r0.xy, -r1.yyzw
rcp r0.xy, -r1.yyzw
rcp r0.xyzw, l(0x3f800000, 0x00000012, 0x00000000, 0xc0490fdb)
rcp r0.xyzw, l(0xffffffcc)
rcp_sat [precise(z)] r0.xy, -r1.yyzw
sincos r0.xy, r1.zw, |r2.zyzw|
sincos r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000013, 0x00000000, 0xc0490fdb)
sincos r0.xyzw, r0.xyzw, l(0xffffffcd)
sincos_sat [precise(xz)] r0.xy, r1.zw, |r2.zyzw|
eq r0.xy, -r1.yyzw, |r2.zyzw|
eq r0.xyzw, l(0x3f800000, 0x00000014, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000014, 0x00000000, 0xc0490fdb)
eq r0.xyzw, l(0xffffffce), l(0xffffffce)
ne r0.xy, -r1.yyzw, |r2.zyzw|
ne r0.xyzw, l(0x3f800000, 0x00000015, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000015, 0x00000000, 0xc0490fdb)
ne r0.xyzw, l(0xffffffcf), l(0xffffffcf)
ge r0.xy, -r1.yyzw, |r2.zyzw|
ge r0.xyzw, l(0x3f800000, 0x00000016, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000016, 0x00000000, 0xc0490fdb)
ge r0.xyzw, l(0xffffffd0), l(0xffffffd0)
lt r0.xy, -r1.yyzw, |r2.zyzw|
lt r0.xyzw, l(0x3f800000, 0x00000017, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000017, 0x00000000, 0xc0490fdb)
lt r0.xyzw, l(0xffffffd1), l(0xffffffd1)
iadd r0.xy, -r1.yyzw, |r2.zyzw|
iadd r0.xyzw, l(0x3f800000, 0x00000018, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000018, 0x00000000, 0xc0490fdb)
iadd r0.xyzw, l(0xffffffd2), l(0xffffffd2)
imad r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
imad r0.xyzw, l(0x3f800000, 0x00000019, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000019, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000019, 0x00000000, 0xc0490fdb)
imad r0.xyzw, l(0xffffffd3), l(0xffffffd3), l(0xffffffd3)
umad r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
umad r0.xyzw, l(0x3f800000, 0x0000001a, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000001a, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000001a, 0x00000000, 0xc0490fdb)
umad r0.xyzw, l(0xffffffd4), l(0xffffffd4), l(0xffffffd4)
imul r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
imul r0.xyzw, r0.xyzw, l(0x3f800000, 0x0000001b, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000001b, 0x00000000, 0xc0490fdb)
imul r0.xyzw, r0.xyzw, l(0xffffffd5), l(0xffffffd5)
umul r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
umul r0.xyzw, r0.xyzw, l(0x3f800000, 0x0000001c, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000001c, 0x00000000, 0xc0490fdb)
umul r0.xyzw, r0.xyzw, l(0xffffffd6), l(0xffffffd6)
udiv r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
udiv r0.xyzw, r0.xyzw, l(0x3f800000, 0x0000001d, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000001d, 0x00000000, 0xc0490fdb)
udiv r0.xyzw, r0.xyzw, l(0xffffffd7), l(0xffffffd7)
uaddc r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
uaddc r0.xyzw, r0.xyzw, l(0x3f800000, 0x0000001e, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000001e, 0x00000000, 0xc0490fdb)
uaddc r0.xyzw, r0.xyzw, l(0xffffffd8), l(0xffffffd8)
usubb r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
usubb r0.xyzw, r0.xyzw, l(0x3f800000, 0x0000001f, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000001f, 0x00000000, 0xc0490fdb)
usubb r0.xyzw, r0.xyzw, l(0xffffffd9), l(0xffffffd9)
ineg r0.xy, -r1.yyzw
ineg r0.xyzw, l(0x3f800000, 0x00000020, 0x00000000, 0xc0490fdb)
ineg r0.xyzw, l(0xffffffda)
imax r0.xy, -r1.yyzw, |r2.zyzw|
imax r0.xyzw, l(0x3f800000, 0x00000021, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000021, 0x00000000, 0xc0490fdb)
imax r0.xyzw, l(0xffffffdb), l(0xffffffdb)
imin r0.xy, -r1.yyzw, |r2.zyzw|
imin r0.xyzw, l(0x3f800000, 0x00000022, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000022, 0x00000000, 0xc0490fdb)
imin r0.xyzw, l(0xffffffdc), l(0xffffffdc)
umax r0.xy, -r1.yyzw, |r2.zyzw|
umax r0.xyzw, l(0x3f800000, 0x00000023, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000023, 0x00000000, 0xc0490fdb)
umax r0.xyzw, l(0xffffffdd), l(0xffffffdd)
umin r0.xy, -r1.yyzw, |r2.zyzw|
umin r0.xyzw, l(0x3f800000, 0x00000024, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000024, 0x00000000, 0xc0490fdb)
umin r0.xyzw, l(0xffffffde), l(0xffffffde)
ieq r0.xy, -r1.yyzw, |r2.zyzw|
ieq r0.xyzw, l(0x3f800000, 0x00000025, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000025, 0x00000000, 0xc0490fdb)
ieq r0.xyzw, l(0xffffffdf), l(0xffffffdf)
ine r0.xy, -r1.yyzw, |r2.zyzw|
ine r0.xyzw, l(0x3f800000, 0x00000026, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000026, 0x00000000, 0xc0490fdb)
ine r0.xyzw, l(0xffffffe0), l(0xffffffe0)
ige r0.xy, -r1.yyzw, |r2.zyzw|
ige r0.xyzw, l(0x3f800000, 0x00000027, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000027, 0x00000000, 0xc0490fdb)
ige r0.xyzw, l(0xffffffe1), l(0xffffffe1)
ilt r0.xy, -r1.yyzw, |r2.zyzw|
ilt r0.xyzw, l(0x3f800000, 0x00000028, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000028, 0x00000000, 0xc0490fdb)
ilt r0.xyzw, l(0xffffffe2), l(0xffffffe2)
uge r0.xy, -r1.yyzw, |r2.zyzw|
uge r0.xyzw, l(0x3f800000, 0x00000029, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000029, 0x00000000, 0xc0490fdb)
uge r0.xyzw, l(0xffffffe3), l(0xffffffe3)
ult r0.xy, -r1.yyzw, |r2.zyzw|
ult r0.xyzw, l(0x3f800000, 0x0000002a, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000002a, 0x00000000, 0xc0490fdb)
ult r0.xyzw, l(0xffffffe4), l(0xffffffe4)
and r0.xy, -r1.yyzw, |r2.zyzw|
and r0.xyzw, l(0x3f800000, 0x0000002b, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000002b, 0x00000000, 0xc0490fdb)
and r0.xyzw, l(0xffffffe5), l(0xffffffe5)
or r0.xy, -r1.yyzw, |r2.zyzw|
or r0.xyzw, l(0x3f800000, 0x0000002c, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000002c, 0x00000000, 0xc0490fdb)
or r0.xyzw, l(0xffffffe6), l(0xffffffe6)
xor r0.xy, -r1.yyzw, |r2.zyzw|
xor r0.xyzw, l(0x3f800000, 0x0000002d, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000002d, 0x00000000, 0xc0490fdb)
xor r0.xyzw, l(0xffffffe7), l(0xffffffe7)
not r0.xy, -r1.yyzw
not r0.xyzw, l(0x3f800000, 0x0000002e, 0x00000000, 0xc0490fdb)
not r0.xyzw, l(0xffffffe8)
ishl r0.xy, -r1.yyzw, |r2.zyzw|
ishl r0.xyzw, l(0x3f800000, 0x0000002f, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000002f, 0x00000000, 0xc0490fdb)
ishl r0.xyzw, l(0xffffffe9), l(0xffffffe9)
ishr r0.xy, -r1.yyzw, |r2.zyzw|
ishr r0.xyzw, l(0x3f800000, 0x00000030, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000030, 0x00000000, 0xc0490fdb)
ishr r0.xyzw, l(0xffffffea), l(0xffffffea)
ushr r0.xy, -r1.yyzw, |r2.zyzw|
ushr r0.xyzw, l(0x3f800000, 0x00000031, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000031, 0x00000000, 0xc0490fdb)
ushr r0.xyzw, l(0xffffffeb), l(0xffffffeb)
countbits r0.xy, -r1.yyzw
countbits r0.xyzw, l(0x3f800000, 0x00000032, 0x00000000, 0xc0490fdb)
countbits r0.xyzw, l(0xffffffec)
firstbit_hi r0.xy, -r1.yyzw
firstbit_hi r0.xyzw, l(0x3f800000, 0x00000033, 0x00000000, 0xc0490fdb)
firstbit_hi r0.xyzw, l(0xffffffed)
firstbit_lo r0.xy, -r1.yyzw
firstbit_lo r0.xyzw, l(0x3f800000, 0x00000034, 0x00000000, 0xc0490fdb)
firstbit_lo r0.xyzw, l(0xffffffee)
firstbit_shi r0.xy, -r1.yyzw
firstbit_shi r0.xyzw, l(0x3f800000, 0x00000035, 0x00000000, 0xc0490fdb)
firstbit_shi r0.xyzw, l(0xffffffef)
ubfe r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
ubfe r0.xyzw, l(0x3f800000, 0x00000036, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000036, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000036, 0x00000000, 0xc0490fdb)
ubfe r0.xyzw, l(0xfffffff0), l(0xfffffff0), l(0xfffffff0)
ibfe r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
ibfe r0.xyzw, l(0x3f800000, 0x00000037, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000037, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000037, 0x00000000, 0xc0490fdb)
ibfe r0.xyzw, l(0xfffffff1), l(0xfffffff1), l(0xfffffff1)
bfi r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|, r4.xyzw
bfi r0.xyzw, l(0x3f800000, 0x00000038, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000038, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000038, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000038, 0x00000000, 0xc0490fdb)
bfi r0.xyzw, l(0xfffffff2), l(0xfffffff2), l(0xfffffff2), l(0xfffffff2)
bfrev r0.xy, -r1.yyzw
bfrev r0.xyzw, l(0x3f800000, 0x00000039, 0x00000000, 0xc0490fdb)
bfrev r0.xyzw, l(0xfffffff3)
msad r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
msad r0.xyzw, l(0x3f800000, 0x0000003a, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000003a, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000003a, 0x00000000, 0xc0490fdb)
msad r0.xyzw, l(0xfffffff4), l(0xfffffff4), l(0xfffffff4)
ftoi r0.xy, -r1.yyzw
ftoi r0.xyzw, l(0x3f800000, 0x0000003b, 0x00000000, 0xc0490fdb)
ftoi r0.xyzw, l(0xfffffff5)
ftou r0.xy, -r1.yyzw
ftou r0.xyzw, l(0x3f800000, 0x0000003c, 0x00000000, 0xc0490fdb)
ftou r0.xyzw, l(0xfffffff6)
itof r0.xy, -r1.yyzw
itof r0.xyzw, l(0x3f800000, 0x0000003d, 0x00000000, 0xc0490fdb)
itof r0.xyzw, l(0xfffffff7)
utof r0.xy, -r1.yyzw
utof r0.xyzw, l(0x3f800000, 0x0000003e, 0x00000000, 0xc0490fdb)
utof r0.xyzw, l(0xfffffff8)
f32tof16 r0.xy, -r1.yyzw
f32tof16 r0.xyzw, l(0x3f800000, 0x0000003f, 0x00000000, 0xc0490fdb)
f32tof16 r0.xyzw, l(0xfffffff9)
f16tof32 r0.xy, -r1.yyzw
f16tof32 r0.xyzw, l(0x3f800000, 0x00000040, 0x00000000, 0xc0490fdb)
f16tof32 r0.xyzw, l(0xfffffffa)
dadd r0.xy, -r1.yyzw, |r2.zyzw|
dadd r0.xyzw, l(0x3f800000, 0x00000041, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000041, 0x00000000, 0xc0490fdb)
dadd r0.xyzw, l(0xfffffffb), l(0xfffffffb)
dadd_sat [precise(yz)] r0.xy, -r1.yyzw, |r2.zyzw|
dmax r0.xy, -r1.yyzw, |r2.zyzw|
dmax r0.xyzw, l(0x3f800000, 0x00000042, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000042, 0x00000000, 0xc0490fdb)
dmax r0.xyzw, l(0xfffffffc), l(0xfffffffc)
dmax_sat [precise(xyz)] r0.xy, -r1.yyzw, |r2.zyzw|
dmin r0.xy, -r1.yyzw, |r2.zyzw|
dmin r0.xyzw, l(0x3f800000, 0x00000043, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000043, 0x00000000, 0xc0490fdb)
dmin r0.xyzw, l(0xfffffffd), l(0xfffffffd)
dmin_sat [precise(w)] r0.xy, -r1.yyzw, |r2.zyzw|
dmul r0.xy, -r1.yyzw, |r2.zyzw|
dmul r0.xyzw, l(0x3f800000, 0x00000044, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000044, 0x00000000, 0xc0490fdb)
dmul r0.xyzw, l(0xfffffffe), l(0xfffffffe)
dmul_sat [precise(xw)] r0.xy, -r1.yyzw, |r2.zyzw|
deq r0.xy, -r1.yyzw, |r2.zyzw|
deq r0.xyzw, l(0x3f800000, 0x00000045, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000045, 0x00000000, 0xc0490fdb)
deq r0.xyzw, l(0xffffffff), l(0xffffffff)
dge r0.xy, -r1.yyzw, |r2.zyzw|
dge r0.xyzw, l(0x3f800000, 0x00000046, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000046, 0x00000000, 0xc0490fdb)
dge r0.xyzw, l(0x00000000), l(0x00000000)
dlt r0.xy, -r1.yyzw, |r2.zyzw|
dlt r0.xyzw, l(0x3f800000, 0x00000047, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000047, 0x00000000, 0xc0490fdb)
dlt r0.xyzw, l(0x00000001), l(0x00000001)
dne r0.xy, -r1.yyzw, |r2.zyzw|
dne r0.xyzw, l(0x3f800000, 0x00000048, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000048, 0x00000000, 0xc0490fdb)
dne r0.xyzw, l(0x00000002), l(0x00000002)
dmov r0.xy, -r1.yyzw
dmov r0.xyzw, l(0x3f800000, 0x00000049, 0x00000000, 0xc0490fdb)
dmov r0.xyzw, l(0x00000003)
dmov_sat [precise(yzw)] r0.xy, -r1.yyzw
dmovc r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
dmovc r0.xyzw, l(0x3f800000, 0x0000004a, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000004a, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000004a, 0x00000000, 0xc0490fdb)
dmovc r0.xyzw, l(0x00000004), l(0x00000004), l(0x00000004)
dmovc_sat [precise] r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
dtof r0.xy, -r1.yyzw
dtof r0.xyzw, l(0x3f800000, 0x0000004b, 0x00000000, 0xc0490fdb)
dtof r0.xyzw, l(0x00000005)
dtof_sat [precise(x)] r0.xy, -r1.yyzw
ftod r0.xy, -r1.yyzw
ftod r0.xyzw, l(0x3f800000, 0x0000004c, 0x00000000, 0xc0490fdb)
ftod r0.xyzw, l(0x00000006)
ftod_sat [precise(y)] r0.xy, -r1.yyzw
ddiv r0.xy, -r1.yyzw, |r2.zyzw|
ddiv r0.xyzw, l(0x3f800000, 0x0000004d, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000004d, 0x00000000, 0xc0490fdb)
ddiv r0.xyzw, l(0x00000007), l(0x00000007)
ddiv_sat [precise(xy)] r0.xy, -r1.yyzw, |r2.zyzw|
dfma r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
dfma r0.xyzw, l(0x3f800000, 0x0000004e, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000004e, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000004e, 0x00000000, 0xc0490fdb)
dfma r0.xyzw, l(0x00000008), l(0x00000008), l(0x00000008)
dfma_sat [precise(z)] r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
drcp r0.xy, -r1.yyzw
drcp r0.xyzw, l(0x3f800000, 0x0000004f, 0x00000000, 0xc0490fdb)
drcp r0.xyzw, l(0x00000009)
drcp_sat [precise(xz)] r0.xy, -r1.yyzw
dtoi r0.xy, -r1.yyzw
dtoi r0.xyzw, l(0x3f800000, 0x00000050, 0x00000000, 0xc0490fdb)
dtoi r0.xyzw, l(0x0000000a)
dtou r0.xy, -r1.yyzw
dtou r0.xyzw, l(0x3f800000, 0x00000051, 0x00000000, 0xc0490fdb)
dtou r0.xyzw, l(0x0000000b)
itod r0.xy, -r1.yyzw
itod r0.xyzw, l(0x3f800000, 0x00000052, 0x00000000, 0xc0490fdb)
itod r0.xyzw, l(0x0000000c)
itod_sat [precise(w)] r0.xy, -r1.yyzw
utod r0.xy, -r1.yyzw
utod r0.xyzw, l(0x3f800000, 0x00000053, 0x00000000, 0xc0490fdb)
utod r0.xyzw, l(0x0000000d)
utod_sat [precise(xw)] r0.xy, -r1.yyzw
mov r0.xy, -r1.yyzw
mov r0.xyzw, l(0x3f800000,0x00000054,0x00000000,0xc0490fdb)
mov r0.xyzw, l(0x0000000e)
mov_sat [precise(yw)] r0.xy, -r1.yyzw
movc r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
movc r0.xyzw, l(0x3f800000,0x00000055,0x00000000,0xc0490fdb), l(0x3f800000,0x00000055,0x00000000,0xc0490fdb), l(0x3f800000,0x00000055,0x00000000,0xc0490fdb)
movc r0.xyzw, l(0x0000000f), l(0x0000000f), l(0x0000000f)
movc_sat [precise(xyw)] r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
swapc r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, r4.xyzw
swapc r0.xyzw, r0.xyzw, l(0x3f800000,0x00000056,0x00000000,0xc0490fdb), l(0x3f800000,0x00000056,0x00000000,0xc0490fdb), l(0x3f800000,0x00000056,0x00000000,0xc0490fdb)
swapc r0.xyzw, r0.xyzw, l(0x00000010), l(0x00000010), l(0x00000010)
swapc_sat [precise(zw)] r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, r4.xyzw
if_z r0.xyzw
  if_z l(0x3f800000, 0x00000057, 0x00000000, 0xc0490fdb)
    if_z l(0x00000011)
      if_nz r0.xyzw
      else 
      endif 
      loop 
      endloop 
      break 
      breakc_z r0.xyzw
      breakc_z l(0x3f800000, 0x0000005d, 0x00000000, 0xc0490fdb)
      breakc_z l(0x00000017)
      breakc_nz r0.xyzw
      continue 
      continuec_z r0.xyzw
      continuec_z l(0x3f800000, 0x0000005f, 0x00000000, 0xc0490fdb)
      continuec_z l(0x00000019)
      continuec_nz r0.xyzw
      switch r0.xyzw
        switch l(0x3f800000, 0x00000060, 0x00000000, 0xc0490fdb)
          switch l(0x0000001a)
            case r0.xyzw
            case l(0x3f800000, 0x00000061, 0x00000000, 0xc0490fdb)
            case l(0x0000001b)
            default 
          endswitch 
          ret 
          retc_z r0.xyzw
          retc_z l(0x3f800000, 0x00000065, 0x00000000, 0xc0490fdb)
          retc_z l(0x0000001f)
          retc_nz r0.xyzw
          call label4
          callc_z r0.xyzw, label4
          callc_z l(0x3f800000, 0x00000067, 0x00000000, 0xc0490fdb), label0
          callc_z l(0x00000021), label0
          callc_nz r0.xyzw, label4
          label label4
          nop 
          ld_uav_typed r0.xy, -r1.yyzw, t3.wzyx
          ld_uav_typed r0.xyzw, l(0x3f800000, 0x0000006b, 0x00000000, 0xc0490fdb), t0.xyzw
          ld_uav_typed r0.xyzw, l(0x00000025), t0.xyzw
          ld_uav_typed_indexable(texture2darray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx
          ld_uav_typed_aoffimmi_indexable [precise(xw)](3,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx
          store_uav_typed u2.xyz, -r1.yyzw, |r2.zyzw|
          store_uav_typed u0.xyzw, l(0x3f800000,0x0000006c,0x00000000,0xc0490fdb), l(0x3f800000,0x0000006c,0x00000000,0xc0490fdb)
          store_uav_typed u0.xyzw, l(0x00000026), l(0x00000026)
          ld_raw r0.xy, -r1.yyzw, t3.wzyx
          ld_raw r0.xyzw, l(0x3f800000, 0x0000006d, 0x00000000, 0xc0490fdb), t0.xyzw
          ld_raw r0.xyzw, l(0x00000027), t0.xyzw
          ld_raw_indexable(raw_buffer)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx
          ld_raw_aoffimmi_indexable [precise(xw)](5,7,-8)(raw_buffer)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx
          store_raw u2.xyz, -r1.yyzw, |r2.zyzw|
          store_raw u0.xyzw, l(0x3f800000,0x0000006e,0x00000000,0xc0490fdb), l(0x3f800000,0x0000006e,0x00000000,0xc0490fdb)
          store_raw u0.xyzw, l(0x00000028), l(0x00000028)
          ld_structured r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx
          ld_structured r0.xyzw, l(0x3f800000, 0x0000006f, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000006f, 0x00000000, 0xc0490fdb), t0.xyzw
          ld_structured r0.xyzw, l(0x00000029), l(0x00000029), t0.xyzw
          ld_structured_indexable(structured_buffer, stride=44)(float,float,float,float) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx
          ld_structured_aoffimmi_indexable [precise(xw)](7,7,-8)(structured_buffer, stride=4)(uint,uint,uint,uint) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx
          store_structured u2.xyz, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
          store_structured u0.xyzw, l(0x3f800000,0x00000070,0x00000000,0xc0490fdb), l(0x3f800000,0x00000070,0x00000000,0xc0490fdb), l(0x3f800000,0x00000070,0x00000000,0xc0490fdb)
          store_structured u0.xyzw, l(0x0000002a), l(0x0000002a), l(0x0000002a)
          ld_uav_typed_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_uav_typed_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000071, 0x00000000, 0xc0490fdb), t0.xyzw
          ld_uav_typed_s r0.xyzw, r0.xyzw, l(0x0000002b), t0.xyzw
          ld_uav_typed_s_indexable(texture2dms)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_uav_typed_s_aoffimmi_indexable [precise(xw)](-7,7,-8)(texture2dms)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_raw_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_raw_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000072, 0x00000000, 0xc0490fdb), t0.xyzw
          ld_raw_s r0.xyzw, r0.xyzw, l(0x0000002c), t0.xyzw
          ld_raw_s_indexable(raw_buffer)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_raw_s_aoffimmi_indexable [precise(xw)](-6,7,-8)(raw_buffer)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_structured_s r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx
          ld_structured_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000073, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000073, 0x00000000, 0xc0490fdb), t0.xyzw
          ld_structured_s r0.xyzw, r0.xyzw, l(0x0000002d), l(0x0000002d), t0.xyzw
          ld_structured_s_indexable(structured_buffer, stride=44)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx
          ld_structured_s_aoffimmi_indexable [precise(xw)](-5,7,-8)(structured_buffer, stride=4)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx
          bufinfo r0.xy, t3.wzyx
          bufinfo_indexable(texture1darray)(float,float,float,float) r0.xy, t3.wzyx
          bufinfo_aoffimmi_indexable [precise(xw)](-4,7,-8)(texture1darray)(uint,uint,uint,uint) r0.xy, t3.wzyx
          ld r0.xy, -r1.yyzw, t3.wzyx
          ld r0.xyzw, l(0x3f800000, 0x00000075, 0x00000000, 0xc0490fdb), t0.xyzw
          ld r0.xyzw, l(0x0000002f), t0.xyzw
          ld_indexable(texture2darray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx
          ld_aoffimmi_indexable [precise(xw)](-3,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx
          ld_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000076, 0x00000000, 0xc0490fdb), t0.xyzw
          ld_s r0.xyzw, r0.xyzw, l(0x00000030), t0.xyzw
          ld_s_indexable(texture2dmsarray)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_s_aoffimmi_indexable [precise(xw)](-2,7,-8)(texture2dmsarray)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ldms r0.xy, -r1.yyzw, t3.wzyx, -|r3.wyzw|
          ldms r0.xyzw, l(0x3f800000, 0x00000077, 0x00000000, 0xc0490fdb), t0.xyzw, l(0x3f800000, 0x00000077, 0x00000000, 0xc0490fdb)
          ldms r0.xyzw, l(0x00000031), t0.xyzw, l(0x00000031)
          ldms_indexable(texturecubearray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, -|r3.wyzw|
          ldms_aoffimmi_indexable [precise(xw)](-1,7,-8)(texturecubearray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, -|r3.wyzw|
          ldms_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, r4.xyzw
          ldms_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000078, 0x00000000, 0xc0490fdb), t0.xyzw, l(0x3f800000, 0x00000078, 0x00000000, 0xc0490fdb)
          ldms_s r0.xyzw, r0.xyzw, l(0x00000032), t0.xyzw, l(0x00000032)
          ldms_s_indexable(buffer)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, r4.xyzw
          ldms_s_aoffimmi_indexable [precise(xw)](0,7,-8)(buffer)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, r4.xyzw
          sample_c_lz r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_c_lz r0.xyzw, l(0x3f800000, 0x00000079, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x00000079, 0x00000000, 0xc0490fdb)
          sample_c_lz r0.xyzw, l(0x00000033), t0.xyzw, s0, l(0x00000033)
          sample_c_lz_indexable(texture1d)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_c_lz_aoffimmi_indexable [precise(xw)](1,7,-8)(texture1d)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_c_lz_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_c_lz_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x0000007a, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x0000007a, 0x00000000, 0xc0490fdb)
          sample_c_lz_s r0.xyzw, r0.xyzw, l(0x00000034), t0.xyzw, s0, l(0x00000034)
          sample_c_lz_s_indexable(texture2d)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_c_lz_s_aoffimmi_indexable [precise(xw)](2,7,-8)(texture2d)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_l r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_l r0.xyzw, l(0x3f800000, 0x0000007b, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x0000007b, 0x00000000, 0xc0490fdb)
          sample_l r0.xyzw, l(0x00000035), t0.xyzw, s0, l(0x00000035)
          sample_l_indexable(texture2dms)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_l_aoffimmi_indexable [precise(xw)](3,7,-8)(texture2dms)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_l_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_l_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x0000007c, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x0000007c, 0x00000000, 0xc0490fdb)
          sample_l_s r0.xyzw, r0.xyzw, l(0x00000036), t0.xyzw, s0, l(0x00000036)
          sample_l_s_indexable(texture3d)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_l_s_aoffimmi_indexable [precise(xw)](4,7,-8)(texture3d)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_d r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw, -r5.yyzw
          sample_d r0.xyzw, l(0x3f800000, 0x0000007d, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x0000007d, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000007d, 0x00000000, 0xc0490fdb)
          sample_d r0.xyzw, l(0x00000037), t0.xyzw, s0, l(0x00000037), l(0x00000037)
          sample_d_indexable(texturecube)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw, -r5.yyzw
          sample_d_aoffimmi_indexable [precise(xw)](5,7,-8)(texturecube)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw, -r5.yyzw
          sample_d_cl_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw, |r6.zyzw|, -|r7.wyzw|
          sample_d_cl_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x0000007e, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x0000007e, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000007e, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000007e, 0x00000000, 0xc0490fdb)
          sample_d_cl_s r0.xyzw, r0.xyzw, l(0x00000038), t0.xyzw, s0, l(0x00000038), l(0x00000038), l(0x00000038)
          sample_d_cl_s_indexable(texture1darray)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw, |r6.zyzw|, -|r7.wyzw|
          sample_d_cl_s_aoffimmi_indexable [precise(xw)](6,7,-8)(texture1darray)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw, |r6.zyzw|, -|r7.wyzw|
          gather4 r0.xy, -r1.yyzw, t3.wzyx, s1.x
          gather4 r0.xyzw, l(0x3f800000, 0x0000007f, 0x00000000, 0xc0490fdb), t0.xyzw, s0
          gather4 r0.xyzw, l(0x00000039), t0.xyzw, s0
          gather4_indexable(texture2darray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1.x
          gather4_aoffimmi_indexable [precise(xw)](7,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1.x
          gather4_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000080, 0x00000000, 0xc0490fdb), t0.xyzw, s0
          gather4_s r0.xyzw, r0.xyzw, l(0x0000003a), t0.xyzw, s0
          gather4_s_indexable(texture2dmsarray)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_s_aoffimmi_indexable [precise(xw)](-8,7,-8)(texture2dmsarray)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_c r0.xy, -r1.yyzw, t3.wzyx, s1.x, r4.xyzw
          gather4_c r0.xyzw, l(0x3f800000, 0x00000081, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x00000081, 0x00000000, 0xc0490fdb)
          gather4_c r0.xyzw, l(0x0000003b), t0.xyzw, s0, l(0x0000003b)
          gather4_c_indexable(texturecubearray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1.x, r4.xyzw
          gather4_c_aoffimmi_indexable [precise(xw)](-7,7,-8)(texturecubearray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1.x, r4.xyzw
          gather4_c_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_c_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000082, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x00000082, 0x00000000, 0xc0490fdb)
          gather4_c_s r0.xyzw, r0.xyzw, l(0x0000003c), t0.xyzw, s0, l(0x0000003c)
          gather4_c_s_indexable(buffer)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_c_s_aoffimmi_indexable [precise(xw)](-6,7,-8)(buffer)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_po r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_po r0.xyzw, l(0x3f800000, 0x00000083, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000083, 0x00000000, 0xc0490fdb), t0.xyzw, s0
          gather4_po r0.xyzw, l(0x0000003d), l(0x0000003d), t0.xyzw, s0
          gather4_po_indexable(texture1d)(float,float,float,float) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_po_aoffimmi_indexable [precise(xw)](-5,7,-8)(texture1d)(uint,uint,uint,uint) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_po_s r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x
          gather4_po_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000084, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000084, 0x00000000, 0xc0490fdb), t0.xyzw, s0
          gather4_po_s r0.xyzw, r0.xyzw, l(0x0000003e), l(0x0000003e), t0.xyzw, s0
          gather4_po_s_indexable(texture2d)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x
          gather4_po_s_aoffimmi_indexable [precise(xw)](-4,7,-8)(texture2d)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x
          gather4_po_c r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_po_c r0.xyzw, l(0x3f800000, 0x00000085, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000085, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x00000085, 0x00000000, 0xc0490fdb)
          gather4_po_c r0.xyzw, l(0x0000003f), l(0x0000003f), t0.xyzw, s0, l(0x0000003f)
          gather4_po_c_indexable(texture2dms)(float,float,float,float) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_po_c_aoffimmi_indexable [precise(xw)](-3,7,-8)(texture2dms)(uint,uint,uint,uint) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_po_c_s r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x, |r6.zyzw|
          gather4_po_c_s r0.xyzw, r0.xyzw, l(0x3f800000, 0x00000086, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000086, 0x00000000, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 0x00000086, 0x00000000, 0xc0490fdb)
          gather4_po_c_s r0.xyzw, r0.xyzw, l(0x00000040), l(0x00000040), t0.xyzw, s0, l(0x00000040)
          gather4_po_c_s_indexable(texture3d)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x, |r6.zyzw|
          gather4_po_c_s_aoffimmi_indexable [precise(xw)](-2,7,-8)(texture3d)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x, |r6.zyzw|
          resinfo r0.xy, -r1.yyzw, t3.wzyx
          resinfo r0.xyzw, l(0x3f800000, 0x00000087, 0x00000000, 0xc0490fdb), t0.xyzw
          resinfo r0.xyzw, l(0x00000041), t0.xyzw
          resinfo_rcpfloat r0.xy, -r1.yyzw, t3.wzyx
          resinfo_uint r0.xy, -r1.yyzw, t3.wzyx
          resinfo_indexable(texturecube)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx
          resinfo_aoffimmi_indexable [precise(xw)](-1,7,-8)(texturecube)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx
          sampleinfo r0.xy, t3.wzyx
          sampleinfo_uint r0.xy, t3.wzyx
          sampleinfo_indexable(texture1darray)(float,float,float,float) r0.xy, t3.wzyx
          sampleinfo_aoffimmi_indexable [precise(xw)](0,7,-8)(texture1darray)(uint,uint,uint,uint) r0.xy, t3.wzyx
          samplepos r0.xy, t3.wzyx, |r2.zyzw|
          samplepos r0.xyzw, t0.xyzw, l(0x3f800000, 0x00000089, 0x00000000, 0xc0490fdb)
          samplepos r0.xyzw, t0.xyzw, l(0x00000043)
          samplepos_indexable(texture2darray)(float,float,float,float) r0.xy, t3.wzyx, |r2.zyzw|
          samplepos_aoffimmi_indexable [precise(xw)](1,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, t3.wzyx, |r2.zyzw|
          check_access_fully_mapped r0.xy, -r1.yyzw
          check_access_fully_mapped r0.xyzw, l(0x3f800000, 0x0000008a, 0x00000000, 0xc0490fdb)
          check_access_fully_mapped r0.xyzw, l(0x00000044)
          atomic_and u2, -r1.yyzw, |r2.zyzw|
          atomic_and u0.xyzw, l(0x3f800000, 0x0000008b, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000008b, 0x00000000, 0xc0490fdb)
          atomic_and u0.xyzw, l(0x00000045), l(0x00000045)
          imm_atomic_and r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_and r0.xyzw, u0.xyzw, l(0x3f800000, 0x0000008c, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000008c, 0x00000000, 0xc0490fdb)
          imm_atomic_and r0.xyzw, u0.xyzw, l(0x00000046), l(0x00000046)
          atomic_or u2, -r1.yyzw, |r2.zyzw|
          atomic_or u0.xyzw, l(0x3f800000, 0x0000008d, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000008d, 0x00000000, 0xc0490fdb)
          atomic_or u0.xyzw, l(0x00000047), l(0x00000047)
          imm_atomic_or r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_or r0.xyzw, u0.xyzw, l(0x3f800000, 0x0000008e, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000008e, 0x00000000, 0xc0490fdb)
          imm_atomic_or r0.xyzw, u0.xyzw, l(0x00000048), l(0x00000048)
          atomic_xor u2, -r1.yyzw, |r2.zyzw|
          atomic_xor u0.xyzw, l(0x3f800000, 0x0000008f, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000008f, 0x00000000, 0xc0490fdb)
          atomic_xor u0.xyzw, l(0x00000049), l(0x00000049)
          imm_atomic_xor r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_xor r0.xyzw, u0.xyzw, l(0x3f800000, 0x00000090, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000090, 0x00000000, 0xc0490fdb)
          imm_atomic_xor r0.xyzw, u0.xyzw, l(0x0000004a), l(0x0000004a)
          atomic_cmp_store u2, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
          atomic_cmp_store u0.xyzw, l(0x3f800000, 0x00000091, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000091, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000091, 0x00000000, 0xc0490fdb)
          atomic_cmp_store u0.xyzw, l(0x0000004b), l(0x0000004b), l(0x0000004b)
          imm_atomic_cmp_exch r0.xy, u2, |r2.zyzw|, -|r3.wyzw|, r4.xyzw
          imm_atomic_cmp_exch r0.xyzw, u0.xyzw, l(0x3f800000, 0x00000092, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000092, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000092, 0x00000000, 0xc0490fdb)
          imm_atomic_cmp_exch r0.xyzw, u0.xyzw, l(0x0000004c), l(0x0000004c), l(0x0000004c)
          atomic_iadd u2, -r1.yyzw, |r2.zyzw|
          atomic_iadd u0.xyzw, l(0x3f800000, 0x00000093, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000093, 0x00000000, 0xc0490fdb)
          atomic_iadd u0.xyzw, l(0x0000004d), l(0x0000004d)
          imm_atomic_iadd r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_iadd r0.xyzw, u0.xyzw, l(0x3f800000, 0x00000094, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000094, 0x00000000, 0xc0490fdb)
          imm_atomic_iadd r0.xyzw, u0.xyzw, l(0x0000004e), l(0x0000004e)
          atomic_imax u2, -r1.yyzw, |r2.zyzw|
          atomic_imax u0.xyzw, l(0x3f800000, 0x00000095, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000095, 0x00000000, 0xc0490fdb)
          atomic_imax u0.xyzw, l(0x0000004f), l(0x0000004f)
          imm_atomic_imax r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_imax r0.xyzw, u0.xyzw, l(0x3f800000, 0x00000096, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000096, 0x00000000, 0xc0490fdb)
          imm_atomic_imax r0.xyzw, u0.xyzw, l(0x00000050), l(0x00000050)
          atomic_imin u2, -r1.yyzw, |r2.zyzw|
          atomic_imin u0.xyzw, l(0x3f800000, 0x00000097, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000097, 0x00000000, 0xc0490fdb)
          atomic_imin u0.xyzw, l(0x00000051), l(0x00000051)
          imm_atomic_imin r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_imin r0.xyzw, u0.xyzw, l(0x3f800000, 0x00000098, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000098, 0x00000000, 0xc0490fdb)
          imm_atomic_imin r0.xyzw, u0.xyzw, l(0x00000052), l(0x00000052)
          atomic_umax u2, -r1.yyzw, |r2.zyzw|
          atomic_umax u0.xyzw, l(0x3f800000, 0x00000099, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x00000099, 0x00000000, 0xc0490fdb)
          atomic_umax u0.xyzw, l(0x00000053), l(0x00000053)
          imm_atomic_umax r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_umax r0.xyzw, u0.xyzw, l(0x3f800000, 0x0000009a, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000009a, 0x00000000, 0xc0490fdb)
          imm_atomic_umax r0.xyzw, u0.xyzw, l(0x00000054), l(0x00000054)
          atomic_umin u2, -r1.yyzw, |r2.zyzw|
          atomic_umin u0.xyzw, l(0x3f800000, 0x0000009b, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000009b, 0x00000000, 0xc0490fdb)
          atomic_umin u0.xyzw, l(0x00000055), l(0x00000055)
          imm_atomic_umin r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_umin r0.xyzw, u0.xyzw, l(0x3f800000, 0x0000009c, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000009c, 0x00000000, 0xc0490fdb)
          imm_atomic_umin r0.xyzw, u0.xyzw, l(0x00000056), l(0x00000056)
          imm_atomic_exch r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_exch r0.xyzw, u0.xyzw, l(0x3f800000, 0x0000009d, 0x00000000, 0xc0490fdb), l(0x3f800000, 0x0000009d, 0x00000000, 0xc0490fdb)
          imm_atomic_exch r0.xyzw, u0.xyzw, l(0x00000057), l(0x00000057)
          imm_atomic_alloc r0.xy, u2
          imm_atomic_consume r0.xy, u2
          sync
          sync_uglobal
          sync_sat_ugroup
          sync_g
          sync_t
// Approximately 0 instruction slots used
