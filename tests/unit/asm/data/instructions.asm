cs_5_0
add r0.xy, -r1.yyzw, |r2.zyzw|
add r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
add r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
add_sat [precise(x)] r0.xy, -r1.yyzw, |r2.zyzw|
mul r0.xy, -r1.yyzw, |r2.zyzw|
mul r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
mul r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
mul_sat [precise(y)] r0.xy, -r1.yyzw, |r2.zyzw|
mad r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
mad r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
mad r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0), l(-1.#QNAN0)
mad_sat [precise(xy)] r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
div r0.xy, -r1.yyzw, |r2.zyzw|
div r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
div r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
div_sat [precise(z)] r0.xy, -r1.yyzw, |r2.zyzw|
dp2 r0.xy, -r1.yyzw, |r2.zyzw|
dp2 r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dp2 r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
dp2_sat [precise(xz)] r0.xy, -r1.yyzw, |r2.zyzw|
dp3 r0.xy, -r1.yyzw, |r2.zyzw|
dp3 r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dp3 r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
dp3_sat [precise(yz)] r0.xy, -r1.yyzw, |r2.zyzw|
dp4 r0.xy, -r1.yyzw, |r2.zyzw|
dp4 r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dp4 r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
dp4_sat [precise(xyz)] r0.xy, -r1.yyzw, |r2.zyzw|
min r0.xy, -r1.yyzw, |r2.zyzw|
min r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
min r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
min_sat [precise(w)] r0.xy, -r1.yyzw, |r2.zyzw|
max r0.xy, -r1.yyzw, |r2.zyzw|
max r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
max r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
max_sat [precise(xw)] r0.xy, -r1.yyzw, |r2.zyzw|
frc r0.xy, -r1.yyzw
frc r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
frc r0.xyzw, l(-1.#QNAN0)
frc_sat [precise(yw)] r0.xy, -r1.yyzw
round_ne r0.xy, -r1.yyzw
round_ne r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
round_ne r0.xyzw, l(-1.#QNAN0)
round_ne_sat [precise(xyw)] r0.xy, -r1.yyzw
round_ni r0.xy, -r1.yyzw
round_ni r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
round_ni r0.xyzw, l(-1.#QNAN0)
round_ni_sat [precise(zw)] r0.xy, -r1.yyzw
round_pi r0.xy, -r1.yyzw
round_pi r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
round_pi r0.xyzw, l(-1.#QNAN0)
round_pi_sat [precise(xzw)] r0.xy, -r1.yyzw
round_z r0.xy, -r1.yyzw
round_z r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
round_z r0.xyzw, l(-1.#QNAN0)
round_z_sat [precise(yzw)] r0.xy, -r1.yyzw
exp r0.xy, -r1.yyzw
exp r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
exp r0.xyzw, l(-1.#QNAN0)
exp_sat [precise] r0.xy, -r1.yyzw
log r0.xy, -r1.yyzw
log r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
log r0.xyzw, l(-1.#QNAN0)
log_sat [precise(x)] r0.xy, -r1.yyzw
sqrt r0.xy, -r1.yyzw
sqrt r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
sqrt r0.xyzw, l(-1.#QNAN0)
sqrt_sat [precise(y)] r0.xy, -r1.yyzw
rsq r0.xy, -r1.yyzw
rsq r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
rsq r0.xyzw, l(-1.#QNAN0)
rsq_sat [precise(xy)] r0.xy, -r1.yyzw
rcp r0.xy, -r1.yyzw
rcp r0.xyzw, l(0x3f800000, 18, 0, 0xc0490fdb)
rcp r0.xyzw, l(-52)
rcp_sat [precise(z)] r0.xy, -r1.yyzw
sincos r0.xy, r1.zw, |r2.zyzw|
sincos r0.xyzw, r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
sincos r0.xyzw, r0.xyzw, l(-1.#QNAN0)
sincos_sat [precise(xz)] r0.xy, r1.zw, |r2.zyzw|
eq r0.xy, -r1.yyzw, |r2.zyzw|
eq r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
eq r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
ne r0.xy, -r1.yyzw, |r2.zyzw|
ne r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
ne r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
ge r0.xy, -r1.yyzw, |r2.zyzw|
ge r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
ge r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
lt r0.xy, -r1.yyzw, |r2.zyzw|
lt r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
lt r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
iadd r0.xy, -r1.yyzw, |r2.zyzw|
iadd r0.xyzw, l(0x3f800000, 24, 0, 0xc0490fdb), l(0x3f800000, 24, 0, 0xc0490fdb)
iadd r0.xyzw, l(-46), l(-46)
imad r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
imad r0.xyzw, l(0x3f800000, 25, 0, 0xc0490fdb), l(0x3f800000, 25, 0, 0xc0490fdb), l(0x3f800000, 25, 0, 0xc0490fdb)
imad r0.xyzw, l(-45), l(-45), l(-45)
umad r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
umad r0.xyzw, l(0x3f800000, 26, 0, 0xc0490fdb), l(0x3f800000, 26, 0, 0xc0490fdb), l(0x3f800000, 26, 0, 0xc0490fdb)
umad r0.xyzw, l(-44), l(-44), l(-44)
imul r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
imul r0.xyzw, r0.xyzw, l(0x3f800000, 27, 0, 0xc0490fdb), l(0x3f800000, 27, 0, 0xc0490fdb)
imul r0.xyzw, r0.xyzw, l(-43), l(-43)
umul r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
umul r0.xyzw, r0.xyzw, l(0x3f800000, 28, 0, 0xc0490fdb), l(0x3f800000, 28, 0, 0xc0490fdb)
umul r0.xyzw, r0.xyzw, l(-42), l(-42)
udiv r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
udiv r0.xyzw, r0.xyzw, l(0x3f800000, 29, 0, 0xc0490fdb), l(0x3f800000, 29, 0, 0xc0490fdb)
udiv r0.xyzw, r0.xyzw, l(-41), l(-41)
uaddc r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
uaddc r0.xyzw, r0.xyzw, l(0x3f800000, 30, 0, 0xc0490fdb), l(0x3f800000, 30, 0, 0xc0490fdb)
uaddc r0.xyzw, r0.xyzw, l(-40), l(-40)
usubb r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|
usubb r0.xyzw, r0.xyzw, l(0x3f800000, 31, 0, 0xc0490fdb), l(0x3f800000, 31, 0, 0xc0490fdb)
usubb r0.xyzw, r0.xyzw, l(-39), l(-39)
ineg r0.xy, -r1.yyzw
ineg r0.xyzw, l(0x3f800000, 32, 0, 0xc0490fdb)
ineg r0.xyzw, l(-38)
imax r0.xy, -r1.yyzw, |r2.zyzw|
imax r0.xyzw, l(0x3f800000, 33, 0, 0xc0490fdb), l(0x3f800000, 33, 0, 0xc0490fdb)
imax r0.xyzw, l(-37), l(-37)
imin r0.xy, -r1.yyzw, |r2.zyzw|
imin r0.xyzw, l(0x3f800000, 34, 0, 0xc0490fdb), l(0x3f800000, 34, 0, 0xc0490fdb)
imin r0.xyzw, l(-36), l(-36)
umax r0.xy, -r1.yyzw, |r2.zyzw|
umax r0.xyzw, l(0x3f800000, 35, 0, 0xc0490fdb), l(0x3f800000, 35, 0, 0xc0490fdb)
umax r0.xyzw, l(-35), l(-35)
umin r0.xy, -r1.yyzw, |r2.zyzw|
umin r0.xyzw, l(0x3f800000, 36, 0, 0xc0490fdb), l(0x3f800000, 36, 0, 0xc0490fdb)
umin r0.xyzw, l(-34), l(-34)
ieq r0.xy, -r1.yyzw, |r2.zyzw|
ieq r0.xyzw, l(0x3f800000, 37, 0, 0xc0490fdb), l(0x3f800000, 37, 0, 0xc0490fdb)
ieq r0.xyzw, l(-33), l(-33)
ine r0.xy, -r1.yyzw, |r2.zyzw|
ine r0.xyzw, l(0x3f800000, 38, 0, 0xc0490fdb), l(0x3f800000, 38, 0, 0xc0490fdb)
ine r0.xyzw, l(-32), l(-32)
ige r0.xy, -r1.yyzw, |r2.zyzw|
ige r0.xyzw, l(0x3f800000, 39, 0, 0xc0490fdb), l(0x3f800000, 39, 0, 0xc0490fdb)
ige r0.xyzw, l(-31), l(-31)
ilt r0.xy, -r1.yyzw, |r2.zyzw|
ilt r0.xyzw, l(0x3f800000, 40, 0, 0xc0490fdb), l(0x3f800000, 40, 0, 0xc0490fdb)
ilt r0.xyzw, l(-30), l(-30)
uge r0.xy, -r1.yyzw, |r2.zyzw|
uge r0.xyzw, l(0x3f800000, 41, 0, 0xc0490fdb), l(0x3f800000, 41, 0, 0xc0490fdb)
uge r0.xyzw, l(-29), l(-29)
ult r0.xy, -r1.yyzw, |r2.zyzw|
ult r0.xyzw, l(0x3f800000, 42, 0, 0xc0490fdb), l(0x3f800000, 42, 0, 0xc0490fdb)
ult r0.xyzw, l(-28), l(-28)
and r0.xy, -r1.yyzw, |r2.zyzw|
and r0.xyzw, l(0x3f800000, 43, 0, 0xc0490fdb), l(0x3f800000, 43, 0, 0xc0490fdb)
and r0.xyzw, l(-27), l(-27)
or r0.xy, -r1.yyzw, |r2.zyzw|
or r0.xyzw, l(0x3f800000, 44, 0, 0xc0490fdb), l(0x3f800000, 44, 0, 0xc0490fdb)
or r0.xyzw, l(-26), l(-26)
xor r0.xy, -r1.yyzw, |r2.zyzw|
xor r0.xyzw, l(0x3f800000, 45, 0, 0xc0490fdb), l(0x3f800000, 45, 0, 0xc0490fdb)
xor r0.xyzw, l(-25), l(-25)
not r0.xy, -r1.yyzw
not r0.xyzw, l(0x3f800000, 46, 0, 0xc0490fdb)
not r0.xyzw, l(-24)
ishl r0.xy, -r1.yyzw, |r2.zyzw|
ishl r0.xyzw, l(0x3f800000, 47, 0, 0xc0490fdb), l(0x3f800000, 47, 0, 0xc0490fdb)
ishl r0.xyzw, l(-23), l(-23)
ishr r0.xy, -r1.yyzw, |r2.zyzw|
ishr r0.xyzw, l(0x3f800000, 48, 0, 0xc0490fdb), l(0x3f800000, 48, 0, 0xc0490fdb)
ishr r0.xyzw, l(-22), l(-22)
ushr r0.xy, -r1.yyzw, |r2.zyzw|
ushr r0.xyzw, l(0x3f800000, 49, 0, 0xc0490fdb), l(0x3f800000, 49, 0, 0xc0490fdb)
ushr r0.xyzw, l(-21), l(-21)
countbits r0.xy, -r1.yyzw
countbits r0.xyzw, l(0x3f800000, 50, 0, 0xc0490fdb)
countbits r0.xyzw, l(-20)
firstbit_hi r0.xy, -r1.yyzw
firstbit_hi r0.xyzw, l(0x3f800000, 51, 0, 0xc0490fdb)
firstbit_hi r0.xyzw, l(-19)
firstbit_lo r0.xy, -r1.yyzw
firstbit_lo r0.xyzw, l(0x3f800000, 52, 0, 0xc0490fdb)
firstbit_lo r0.xyzw, l(-18)
firstbit_shi r0.xy, -r1.yyzw
firstbit_shi r0.xyzw, l(0x3f800000, 53, 0, 0xc0490fdb)
firstbit_shi r0.xyzw, l(-17)
ubfe r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
ubfe r0.xyzw, l(0x3f800000, 54, 0, 0xc0490fdb), l(0x3f800000, 54, 0, 0xc0490fdb), l(0x3f800000, 54, 0, 0xc0490fdb)
ubfe r0.xyzw, l(-16), l(-16), l(-16)
ibfe r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
ibfe r0.xyzw, l(0x3f800000, 55, 0, 0xc0490fdb), l(0x3f800000, 55, 0, 0xc0490fdb), l(0x3f800000, 55, 0, 0xc0490fdb)
ibfe r0.xyzw, l(-15), l(-15), l(-15)
bfi r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|, r4.xyzw
bfi r0.xyzw, l(0x3f800000, 56, 0, 0xc0490fdb), l(0x3f800000, 56, 0, 0xc0490fdb), l(0x3f800000, 56, 0, 0xc0490fdb), l(0x3f800000, 56, 0, 0xc0490fdb)
bfi r0.xyzw, l(-14), l(-14), l(-14), l(-14)
bfrev r0.xy, -r1.yyzw
bfrev r0.xyzw, l(0x3f800000, 57, 0, 0xc0490fdb)
bfrev r0.xyzw, l(-13)
msad r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
msad r0.xyzw, l(0x3f800000, 58, 0, 0xc0490fdb), l(0x3f800000, 58, 0, 0xc0490fdb), l(0x3f800000, 58, 0, 0xc0490fdb)
msad r0.xyzw, l(-12), l(-12), l(-12)
ftoi r0.xy, -r1.yyzw
ftoi r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
ftoi r0.xyzw, l(-1.#QNAN0)
ftou r0.xy, -r1.yyzw
ftou r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
ftou r0.xyzw, l(-1.#QNAN0)
itof r0.xy, -r1.yyzw
itof r0.xyzw, l(0x3f800000, 61, 0, 0xc0490fdb)
itof r0.xyzw, l(-9)
utof r0.xy, -r1.yyzw
utof r0.xyzw, l(0x3f800000, 62, 0, 0xc0490fdb)
utof r0.xyzw, l(-8)
f32tof16 r0.xy, -r1.yyzw
f32tof16 r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
f32tof16 r0.xyzw, l(-1.#QNAN0)
f16tof32 r0.xy, -r1.yyzw
f16tof32 r0.xyzw, l(0x3f800000, 64, 0, 0xc0490fdb)
f16tof32 r0.xyzw, l(-6)
dadd r0.xy, -r1.yyzw, |r2.zyzw|
dadd r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dadd r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
dadd_sat [precise(yz)] r0.xy, -r1.yyzw, |r2.zyzw|
dmax r0.xy, -r1.yyzw, |r2.zyzw|
dmax r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dmax r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
dmax_sat [precise(xyz)] r0.xy, -r1.yyzw, |r2.zyzw|
dmin r0.xy, -r1.yyzw, |r2.zyzw|
dmin r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dmin r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
dmin_sat [precise(w)] r0.xy, -r1.yyzw, |r2.zyzw|
dmul r0.xy, -r1.yyzw, |r2.zyzw|
dmul r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dmul r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
dmul_sat [precise(xw)] r0.xy, -r1.yyzw, |r2.zyzw|
deq r0.xy, -r1.yyzw, |r2.zyzw|
deq r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
deq r0.xyzw, l(-1.#QNAN0), l(-1.#QNAN0)
dge r0.xy, -r1.yyzw, |r2.zyzw|
dge r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dge r0.xyzw, l(0.000000), l(0.000000)
dlt r0.xy, -r1.yyzw, |r2.zyzw|
dlt r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dlt r0.xyzw, l(0.000000), l(0.000000)
dne r0.xy, -r1.yyzw, |r2.zyzw|
dne r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dne r0.xyzw, l(0.000000), l(0.000000)
dmov r0.xy, -r1.yyzw
dmov r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
dmov r0.xyzw, l(0.000000)
dmov_sat [precise(yzw)] r0.xy, -r1.yyzw
dmovc r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
dmovc r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
dmovc r0.xyzw, l(0.000000), l(0.000000), l(0.000000)
dmovc_sat [precise] r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
dtof r0.xy, -r1.yyzw
dtof r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
dtof r0.xyzw, l(0.000000)
dtof_sat [precise(x)] r0.xy, -r1.yyzw
ftod r0.xy, -r1.yyzw
ftod r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593)
ftod r0.xyzw, l(0.000000)
ftod_sat [precise(y)] r0.xy, -r1.yyzw
ddiv r0.xy, -r1.yyzw, |r2.zyzw|
ddiv r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
ddiv r0.xyzw, l(0.000000), l(0.000000)
ddiv_sat [precise(xy)] r0.xy, -r1.yyzw, |r2.zyzw|
dfma r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
dfma r0.xyzw, l(0x3f800000, 78, 0, 0xc0490fdb), l(0x3f800000, 78, 0, 0xc0490fdb), l(0x3f800000, 78, 0, 0xc0490fdb)
dfma r0.xyzw, l(8), l(8), l(8)
dfma_sat [precise(z)] r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
drcp r0.xy, -r1.yyzw
drcp r0.xyzw, l(0x3f800000, 79, 0, 0xc0490fdb)
drcp r0.xyzw, l(9)
drcp_sat [precise(xz)] r0.xy, -r1.yyzw
dtoi r0.xy, -r1.yyzw
dtoi r0.xyzw, l(0x3f800000, 80, 0, 0xc0490fdb)
dtoi r0.xyzw, l(10)
dtou r0.xy, -r1.yyzw
dtou r0.xyzw, l(0x3f800000, 81, 0, 0xc0490fdb)
dtou r0.xyzw, l(11)
itod r0.xy, -r1.yyzw
itod r0.xyzw, l(0x3f800000, 82, 0, 0xc0490fdb)
itod r0.xyzw, l(12)
itod_sat [precise(w)] r0.xy, -r1.yyzw
utod r0.xy, -r1.yyzw
utod r0.xyzw, l(0x3f800000, 83, 0, 0xc0490fdb)
utod r0.xyzw, l(13)
utod_sat [precise(xw)] r0.xy, -r1.yyzw
mov r0.xy, -r1.yyzw
mov r0.xyzw, l(1.000000,84,0,-3.141593)
mov r0.xyzw, l(14)
mov_sat [precise(yw)] r0.xy, -r1.yyzw
movc r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
movc r0.xyzw, l(1.000000,85,0,-3.141593), l(1.000000,85,0,-3.141593), l(1.000000,85,0,-3.141593)
movc r0.xyzw, l(15), l(15), l(15)
movc_sat [precise(xyw)] r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
swapc r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, r4.xyzw
swapc r0.xyzw, r0.xyzw, l(1.000000,86,0,-3.141593), l(1.000000,86,0,-3.141593), l(1.000000,86,0,-3.141593)
swapc r0.xyzw, r0.xyzw, l(16), l(16), l(16)
swapc_sat [precise(zw)] r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, r4.xyzw
if_z r0.xyzw
  if_z l(0x3f800000, 87, 0, 0xc0490fdb)
    if_z l(17)
      if_nz r0.xyzw
      else 
      endif 
      loop 
      endloop 
      break 
      breakc_z r0.xyzw
      breakc_z l(0x3f800000, 93, 0, 0xc0490fdb)
      breakc_z l(23)
      breakc_nz r0.xyzw
      continue 
      continuec_z r0.xyzw
      continuec_z l(0x3f800000, 95, 0, 0xc0490fdb)
      continuec_z l(25)
      continuec_nz r0.xyzw
      switch r0.xyzw
        switch l(0x3f800000, 96, 0, 0xc0490fdb)
          switch l(26)
            case r0.xyzw
            case l(0x3f800000, 97, 0, 0xc0490fdb)
            case l(27)
            default 
          endswitch 
          ret 
          retc_z r0.xyzw
          retc_z l(0x3f800000, 101, 0, 0xc0490fdb)
          retc_z l(31)
          retc_nz r0.xyzw
          call label4
          callc_z r0.xyzw, label4
          callc_z l(0x3f800000, 103, 0, 0xc0490fdb), label0
          callc_z l(33), label0
          callc_nz r0.xyzw, label4
          label label4
          nop 
          ld_uav_typed r0.xy, -r1.yyzw, t3.wzyx
          ld_uav_typed r0.xyzw, l(0x3f800000, 107, 0, 0xc0490fdb), t0.xyzw
          ld_uav_typed r0.xyzw, l(37), t0.xyzw
          ld_uav_typed_indexable(texture2darray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx
          ld_uav_typed_aoffimmi_indexable [precise(xw)](3,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx
          store_uav_typed u2.xyz, -r1.yyzw, |r2.zyzw|
          store_uav_typed u0.xyzw, l(1.000000,108,0,-3.141593), l(1.000000,108,0,-3.141593)
          store_uav_typed u0.xyzw, l(38), l(38)
          ld_raw r0.xy, -r1.yyzw, t3.wzyx
          ld_raw r0.xyzw, l(0x3f800000, 109, 0, 0xc0490fdb), t0.xyzw
          ld_raw r0.xyzw, l(39), t0.xyzw
          ld_raw_indexable(raw_buffer)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx
          ld_raw_aoffimmi_indexable [precise(xw)](5,7,-8)(raw_buffer)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx
          store_raw u2.xyz, -r1.yyzw, |r2.zyzw|
          store_raw u0.xyzw, l(1.000000,110,0,-3.141593), l(1.000000,110,0,-3.141593)
          store_raw u0.xyzw, l(40), l(40)
          ld_structured r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx
          ld_structured r0.xyzw, l(0x3f800000, 111, 0, 0xc0490fdb), l(0x3f800000, 111, 0, 0xc0490fdb), t0.xyzw
          ld_structured r0.xyzw, l(41), l(41), t0.xyzw
          ld_structured_indexable(structured_buffer, stride=44)(float,float,float,float) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx
          ld_structured_aoffimmi_indexable [precise(xw)](7,7,-8)(structured_buffer, stride=4)(uint,uint,uint,uint) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx
          store_structured u2.xyz, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
          store_structured u0.xyzw, l(1.000000,112,0,-3.141593), l(1.000000,112,0,-3.141593), l(1.000000,112,0,-3.141593)
          store_structured u0.xyzw, l(42), l(42), l(42)
          ld_uav_typed_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_uav_typed_s r0.xyzw, r0.xyzw, l(0x3f800000, 113, 0, 0xc0490fdb), t0.xyzw
          ld_uav_typed_s r0.xyzw, r0.xyzw, l(43), t0.xyzw
          ld_uav_typed_s_indexable(texture2dms)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_uav_typed_s_aoffimmi_indexable [precise(xw)](-7,7,-8)(texture2dms)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_raw_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_raw_s r0.xyzw, r0.xyzw, l(0x3f800000, 114, 0, 0xc0490fdb), t0.xyzw
          ld_raw_s r0.xyzw, r0.xyzw, l(44), t0.xyzw
          ld_raw_s_indexable(raw_buffer)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_raw_s_aoffimmi_indexable [precise(xw)](-6,7,-8)(raw_buffer)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_structured_s r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx
          ld_structured_s r0.xyzw, r0.xyzw, l(0x3f800000, 115, 0, 0xc0490fdb), l(0x3f800000, 115, 0, 0xc0490fdb), t0.xyzw
          ld_structured_s r0.xyzw, r0.xyzw, l(45), l(45), t0.xyzw
          ld_structured_s_indexable(structured_buffer, stride=44)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx
          ld_structured_s_aoffimmi_indexable [precise(xw)](-5,7,-8)(structured_buffer, stride=4)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx
          bufinfo r0.xy, t3.wzyx
          bufinfo_indexable(texture1darray)(float,float,float,float) r0.xy, t3.wzyx
          bufinfo_aoffimmi_indexable [precise(xw)](-4,7,-8)(texture1darray)(uint,uint,uint,uint) r0.xy, t3.wzyx
          ld r0.xy, -r1.yyzw, t3.wzyx
          ld r0.xyzw, l(0x3f800000, 117, 0, 0xc0490fdb), t0.xyzw
          ld r0.xyzw, l(47), t0.xyzw
          ld_indexable(texture2darray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx
          ld_aoffimmi_indexable [precise(xw)](-3,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx
          ld_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_s r0.xyzw, r0.xyzw, l(0x3f800000, 118, 0, 0xc0490fdb), t0.xyzw
          ld_s r0.xyzw, r0.xyzw, l(48), t0.xyzw
          ld_s_indexable(texture2dmsarray)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ld_s_aoffimmi_indexable [precise(xw)](-2,7,-8)(texture2dmsarray)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx
          ldms r0.xy, -r1.yyzw, t3.wzyx, -|r3.wyzw|
          ldms r0.xyzw, l(0x3f800000, 119, 0, 0xc0490fdb), t0.xyzw, l(0x3f800000, 119, 0, 0xc0490fdb)
          ldms r0.xyzw, l(49), t0.xyzw, l(49)
          ldms_indexable(texturecubearray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, -|r3.wyzw|
          ldms_aoffimmi_indexable [precise(xw)](-1,7,-8)(texturecubearray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, -|r3.wyzw|
          ldms_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, r4.xyzw
          ldms_s r0.xyzw, r0.xyzw, l(0x3f800000, 120, 0, 0xc0490fdb), t0.xyzw, l(0x3f800000, 120, 0, 0xc0490fdb)
          ldms_s r0.xyzw, r0.xyzw, l(50), t0.xyzw, l(50)
          ldms_s_indexable(buffer)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, r4.xyzw
          ldms_s_aoffimmi_indexable [precise(xw)](0,7,-8)(buffer)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, r4.xyzw
          sample_c_lz r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_c_lz r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593)
          sample_c_lz r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000)
          sample_c_lz_indexable(texture1d)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_c_lz_aoffimmi_indexable [precise(xw)](1,7,-8)(texture1d)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_c_lz_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_c_lz_s r0.xyzw, r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593)
          sample_c_lz_s r0.xyzw, r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000)
          sample_c_lz_s_indexable(texture2d)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_c_lz_s_aoffimmi_indexable [precise(xw)](2,7,-8)(texture2d)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_l r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_l r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593)
          sample_l r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000)
          sample_l_indexable(texture2dms)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_l_aoffimmi_indexable [precise(xw)](3,7,-8)(texture2dms)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_l_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_l_s r0.xyzw, r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593)
          sample_l_s r0.xyzw, r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000)
          sample_l_s_indexable(texture3d)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_l_s_aoffimmi_indexable [precise(xw)](4,7,-8)(texture3d)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw
          sample_d r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw, -r5.yyzw
          sample_d r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
          sample_d r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000), l(0.000000)
          sample_d_indexable(texturecube)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw, -r5.yyzw
          sample_d_aoffimmi_indexable [precise(xw)](5,7,-8)(texturecube)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw, -r5.yyzw
          sample_d_cl_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw, |r6.zyzw|, -|r7.wyzw|
          sample_d_cl_s r0.xyzw, r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
          sample_d_cl_s r0.xyzw, r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000), l(0.000000), l(0.000000)
          sample_d_cl_s_indexable(texture1darray)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw, |r6.zyzw|, -|r7.wyzw|
          sample_d_cl_s_aoffimmi_indexable [precise(xw)](6,7,-8)(texture1darray)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1, -r5.yyzw, |r6.zyzw|, -|r7.wyzw|
          gather4 r0.xy, -r1.yyzw, t3.wzyx, s1.x
          gather4 r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0
          gather4 r0.xyzw, l(0.000000), t0.xyzw, s0
          gather4_indexable(texture2darray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1.x
          gather4_aoffimmi_indexable [precise(xw)](7,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1.x
          gather4_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_s r0.xyzw, r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0
          gather4_s r0.xyzw, r0.xyzw, l(0.000000), t0.xyzw, s0
          gather4_s_indexable(texture2dmsarray)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_s_aoffimmi_indexable [precise(xw)](-8,7,-8)(texture2dmsarray)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_c r0.xy, -r1.yyzw, t3.wzyx, s1.x, r4.xyzw
          gather4_c r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593)
          gather4_c r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000)
          gather4_c_indexable(texturecubearray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1.x, r4.xyzw
          gather4_c_aoffimmi_indexable [precise(xw)](-7,7,-8)(texturecubearray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1.x, r4.xyzw
          gather4_c_s r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_c_s r0.xyzw, r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593)
          gather4_c_s r0.xyzw, r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000)
          gather4_c_s_indexable(buffer)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_c_s_aoffimmi_indexable [precise(xw)](-6,7,-8)(buffer)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_po r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_po r0.xyzw, l(0x3f800000, 131, 0, 0xc0490fdb), l(0x3f800000, 131, 0, 0xc0490fdb), t0.xyzw, s0
          gather4_po r0.xyzw, l(61), l(61), t0.xyzw, s0
          gather4_po_indexable(texture1d)(float,float,float,float) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_po_aoffimmi_indexable [precise(xw)](-5,7,-8)(texture1d)(uint,uint,uint,uint) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x
          gather4_po_s r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x
          gather4_po_s r0.xyzw, r0.xyzw, l(0x3f800000, 132, 0, 0xc0490fdb), l(0x3f800000, 132, 0, 0xc0490fdb), t0.xyzw, s0
          gather4_po_s r0.xyzw, r0.xyzw, l(62), l(62), t0.xyzw, s0
          gather4_po_s_indexable(texture2d)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x
          gather4_po_s_aoffimmi_indexable [precise(xw)](-4,7,-8)(texture2d)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x
          gather4_po_c r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_po_c r0.xyzw, l(0x3f800000, 133, 0, 0xc0490fdb), l(0x3f800000, 133, 0, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 133, 0, 0xc0490fdb)
          gather4_po_c r0.xyzw, l(63), l(63), t0.xyzw, s0, l(63)
          gather4_po_c_indexable(texture2dms)(float,float,float,float) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_po_c_aoffimmi_indexable [precise(xw)](-3,7,-8)(texture2dms)(uint,uint,uint,uint) r0.xy, -r1.yyzw, |r2.zyzw|, t3.wzyx, s1.x, -r5.yyzw
          gather4_po_c_s r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x, |r6.zyzw|
          gather4_po_c_s r0.xyzw, r0.xyzw, l(0x3f800000, 134, 0, 0xc0490fdb), l(0x3f800000, 134, 0, 0xc0490fdb), t0.xyzw, s0, l(0x3f800000, 134, 0, 0xc0490fdb)
          gather4_po_c_s r0.xyzw, r0.xyzw, l(64), l(64), t0.xyzw, s0, l(64)
          gather4_po_c_s_indexable(texture3d)(float,float,float,float) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x, |r6.zyzw|
          gather4_po_c_s_aoffimmi_indexable [precise(xw)](-2,7,-8)(texture3d)(uint,uint,uint,uint) r0.xy, r1.zw, |r2.zyzw|, -|r3.wyzw|, t3.wzyx, s1.x, |r6.zyzw|
          resinfo r0.xy, -r1.yyzw, t3.wzyx
          resinfo r0.xyzw, l(0x3f800000, 135, 0, 0xc0490fdb), t0.xyzw
          resinfo r0.xyzw, l(65), t0.xyzw
          resinfo_rcpfloat r0.xy, -r1.yyzw, t3.wzyx
          resinfo_uint r0.xy, -r1.yyzw, t3.wzyx
          resinfo_indexable(texturecube)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx
          resinfo_aoffimmi_indexable [precise(xw)](-1,7,-8)(texturecube)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx
          sampleinfo r0.xy, t3.wzyx
          sampleinfo_uint r0.xy, t3.wzyx
          sampleinfo_indexable(texture1darray)(float,float,float,float) r0.xy, t3.wzyx
          sampleinfo_aoffimmi_indexable [precise(xw)](0,7,-8)(texture1darray)(uint,uint,uint,uint) r0.xy, t3.wzyx
          samplepos r0.xy, t3.wzyx, |r2.zyzw|
          samplepos r0.xyzw, t0.xyzw, l(0x3f800000, 137, 0, 0xc0490fdb)
          samplepos r0.xyzw, t0.xyzw, l(67)
          samplepos_indexable(texture2darray)(float,float,float,float) r0.xy, t3.wzyx, |r2.zyzw|
          samplepos_aoffimmi_indexable [precise(xw)](1,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, t3.wzyx, |r2.zyzw|
          check_access_fully_mapped r0.xy, -r1.yyzw
          check_access_fully_mapped r0.xyzw, l(0x3f800000, 138, 0, 0xc0490fdb)
          check_access_fully_mapped r0.xyzw, l(68)
          atomic_and u2, -r1.yyzw, |r2.zyzw|
          atomic_and u0.xyzw, l(0x3f800000, 139, 0, 0xc0490fdb), l(0x3f800000, 139, 0, 0xc0490fdb)
          atomic_and u0.xyzw, l(69), l(69)
          imm_atomic_and r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_and r0.xyzw, u0.xyzw, l(0x3f800000, 140, 0, 0xc0490fdb), l(0x3f800000, 140, 0, 0xc0490fdb)
          imm_atomic_and r0.xyzw, u0.xyzw, l(70), l(70)
          atomic_or u2, -r1.yyzw, |r2.zyzw|
          atomic_or u0.xyzw, l(0x3f800000, 141, 0, 0xc0490fdb), l(0x3f800000, 141, 0, 0xc0490fdb)
          atomic_or u0.xyzw, l(71), l(71)
          imm_atomic_or r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_or r0.xyzw, u0.xyzw, l(0x3f800000, 142, 0, 0xc0490fdb), l(0x3f800000, 142, 0, 0xc0490fdb)
          imm_atomic_or r0.xyzw, u0.xyzw, l(72), l(72)
          atomic_xor u2, -r1.yyzw, |r2.zyzw|
          atomic_xor u0.xyzw, l(0x3f800000, 143, 0, 0xc0490fdb), l(0x3f800000, 143, 0, 0xc0490fdb)
          atomic_xor u0.xyzw, l(73), l(73)
          imm_atomic_xor r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_xor r0.xyzw, u0.xyzw, l(0x3f800000, 144, 0, 0xc0490fdb), l(0x3f800000, 144, 0, 0xc0490fdb)
          imm_atomic_xor r0.xyzw, u0.xyzw, l(74), l(74)
          atomic_cmp_store u2, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
          atomic_cmp_store u0.xyzw, l(0x3f800000, 145, 0, 0xc0490fdb), l(0x3f800000, 145, 0, 0xc0490fdb), l(0x3f800000, 145, 0, 0xc0490fdb)
          atomic_cmp_store u0.xyzw, l(75), l(75), l(75)
          imm_atomic_cmp_exch r0.xy, u2, |r2.zyzw|, -|r3.wyzw|, r4.xyzw
          imm_atomic_cmp_exch r0.xyzw, u0.xyzw, l(0x3f800000, 146, 0, 0xc0490fdb), l(0x3f800000, 146, 0, 0xc0490fdb), l(0x3f800000, 146, 0, 0xc0490fdb)
          imm_atomic_cmp_exch r0.xyzw, u0.xyzw, l(76), l(76), l(76)
          atomic_iadd u2, -r1.yyzw, |r2.zyzw|
          atomic_iadd u0.xyzw, l(0x3f800000, 147, 0, 0xc0490fdb), l(0x3f800000, 147, 0, 0xc0490fdb)
          atomic_iadd u0.xyzw, l(77), l(77)
          imm_atomic_iadd r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_iadd r0.xyzw, u0.xyzw, l(0x3f800000, 148, 0, 0xc0490fdb), l(0x3f800000, 148, 0, 0xc0490fdb)
          imm_atomic_iadd r0.xyzw, u0.xyzw, l(78), l(78)
          atomic_imax u2, -r1.yyzw, |r2.zyzw|
          atomic_imax u0.xyzw, l(0x3f800000, 149, 0, 0xc0490fdb), l(0x3f800000, 149, 0, 0xc0490fdb)
          atomic_imax u0.xyzw, l(79), l(79)
          imm_atomic_imax r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_imax r0.xyzw, u0.xyzw, l(0x3f800000, 150, 0, 0xc0490fdb), l(0x3f800000, 150, 0, 0xc0490fdb)
          imm_atomic_imax r0.xyzw, u0.xyzw, l(80), l(80)
          atomic_imin u2, -r1.yyzw, |r2.zyzw|
          atomic_imin u0.xyzw, l(0x3f800000, 151, 0, 0xc0490fdb), l(0x3f800000, 151, 0, 0xc0490fdb)
          atomic_imin u0.xyzw, l(81), l(81)
          imm_atomic_imin r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_imin r0.xyzw, u0.xyzw, l(0x3f800000, 152, 0, 0xc0490fdb), l(0x3f800000, 152, 0, 0xc0490fdb)
          imm_atomic_imin r0.xyzw, u0.xyzw, l(82), l(82)
          atomic_umax u2, -r1.yyzw, |r2.zyzw|
          atomic_umax u0.xyzw, l(0x3f800000, 153, 0, 0xc0490fdb), l(0x3f800000, 153, 0, 0xc0490fdb)
          atomic_umax u0.xyzw, l(83), l(83)
          imm_atomic_umax r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_umax r0.xyzw, u0.xyzw, l(0x3f800000, 154, 0, 0xc0490fdb), l(0x3f800000, 154, 0, 0xc0490fdb)
          imm_atomic_umax r0.xyzw, u0.xyzw, l(84), l(84)
          atomic_umin u2, -r1.yyzw, |r2.zyzw|
          atomic_umin u0.xyzw, l(0x3f800000, 155, 0, 0xc0490fdb), l(0x3f800000, 155, 0, 0xc0490fdb)
          atomic_umin u0.xyzw, l(85), l(85)
          imm_atomic_umin r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_umin r0.xyzw, u0.xyzw, l(0x3f800000, 156, 0, 0xc0490fdb), l(0x3f800000, 156, 0, 0xc0490fdb)
          imm_atomic_umin r0.xyzw, u0.xyzw, l(86), l(86)
          imm_atomic_exch r0.xy, u2, |r2.zyzw|, -|r3.wyzw|
          imm_atomic_exch r0.xyzw, u0.xyzw, l(0x3f800000, 157, 0, 0xc0490fdb), l(0x3f800000, 157, 0, 0xc0490fdb)
          imm_atomic_exch r0.xyzw, u0.xyzw, l(87), l(87)
          imm_atomic_alloc r0.xy, u2
          imm_atomic_consume r0.xy, u2
          sync
          sync_uglobal
          sync_sat_ugroup
          sync_g
          sync_t
// Approximately 0 instruction slots used
