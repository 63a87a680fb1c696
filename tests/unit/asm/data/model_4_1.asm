cs_4_1
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
mov r0.xy, -r1.yyzw
mov r0.xyzw, l(1.000000,84,0,-3.141593)
mov r0.xyzw, l(14)
mov_sat [precise(yw)] r0.xy, -r1.yyzw
movc r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
movc r0.xyzw, l(1.000000,85,0,-3.141593), l(1.000000,85,0,-3.141593), l(1.000000,85,0,-3.141593)
movc r0.xyzw, l(15), l(15), l(15)
movc_sat [precise(xyw)] r0.xy, -r1.yyzw, |r2.zyzw|, -|r3.wyzw|
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
          ld r0.xy, -r1.yyzw, t3.wzyx
          ld r0.xyzw, l(0x3f800000, 117, 0, 0xc0490fdb), t0.xyzw
          ld r0.xyzw, l(47), t0.xyzw
          ld_indexable(texture2darray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx
          ld_aoffimmi_indexable [precise(xw)](-3,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx
          ldms r0.xy, -r1.yyzw, t3.wzyx, -|r3.wyzw|
          ldms r0.xyzw, l(0x3f800000, 119, 0, 0xc0490fdb), t0.xyzw, l(0x3f800000, 119, 0, 0xc0490fdb)
          ldms r0.xyzw, l(49), t0.xyzw, l(49)
          ldms_indexable(texturecubearray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, -|r3.wyzw|
          ldms_aoffimmi_indexable [precise(xw)](-1,7,-8)(texturecubearray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, -|r3.wyzw|
          sample_c_lz r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_c_lz r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593)
          sample_c_lz r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000)
          sample_c_lz_indexable(texture1d)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_c_lz_aoffimmi_indexable [precise(xw)](1,7,-8)(texture1d)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_l r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_l r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593)
          sample_l r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000)
          sample_l_indexable(texture2dms)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_l_aoffimmi_indexable [precise(xw)](3,7,-8)(texture2dms)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw
          sample_d r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw, -r5.yyzw
          sample_d r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0, l(1.000000, 0.000000, 0.000000, -3.141593), l(1.000000, 0.000000, 0.000000, -3.141593)
          sample_d r0.xyzw, l(0.000000), t0.xyzw, s0, l(0.000000), l(0.000000)
          sample_d_indexable(texturecube)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw, -r5.yyzw
          sample_d_aoffimmi_indexable [precise(xw)](5,7,-8)(texturecube)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1, r4.xyzw, -r5.yyzw
          gather4 r0.xy, -r1.yyzw, t3.wzyx, s1.x
          gather4 r0.xyzw, l(1.000000, 0.000000, 0.000000, -3.141593), t0.xyzw, s0
          gather4 r0.xyzw, l(0.000000), t0.xyzw, s0
          gather4_indexable(texture2darray)(float,float,float,float) r0.xy, -r1.yyzw, t3.wzyx, s1.x
          gather4_aoffimmi_indexable [precise(xw)](7,7,-8)(texture2darray)(uint,uint,uint,uint) r0.xy, -r1.yyzw, t3.wzyx, s1.x
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
          sync
          sync_uglobal
          sync_sat_ugroup
          sync_g
          sync_t
// Approximately 0 instruction slots used
