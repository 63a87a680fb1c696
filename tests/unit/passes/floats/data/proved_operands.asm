// constants
sample_l_indexable(texture2d)(float,float,float,float) r2.x, l(0.25, -3.5, 0.0, 0.0), t1.xyzw, s0, l(1.5)

// thread ids
mul r1.xyzw, r1.xyzw, l(0.001, 0.002, 0.003, 0.004)
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// centres of texels
add r1.xy, r1.xyxx, l(0.5, 0.5, 0.0, 0.0)
div r1.xy, r1.xyxx, l(256.0, 256.0, 256.0, 256.0)
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// groups
utof r1.xy, vThreadGroupID.xxxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, r1.x

// signed
and r1.xy, r0.xyxx, l(255, 255, 0, 0)
itof r1.xy, r1.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, -r1.xyxx, t1.xyzw, s0, |r1.x|

// saturated
mov_sat r1.xy, r0.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, r1.x

// clamped
max r1.xy, r0.xyxx, l(-2.0, -2.0, 0.0, 0.0)
min r1.xy, r1.xyxx, l(9.0, 9.0, 0.0, 0.0)
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, r1.y

// fractions
mul r1.xyzw, r1.xyzw, l(0.001, 0.002, 0.003, 0.004)
frc r1.xy, r1.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// rounded
mul r1.xyzw, r1.xyzw, l(0.001, 0.002, 0.003, 0.004)
round_ne r1.xy, r1.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// chosen
mov_sat r1.xy, r0.xyxx
movc r1.xy, r0.zzzz, r1.xyxx, l(0.5, 0.5, 0.0, 0.0)
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// merged
mov_sat r1.xy, r0.xyxx
if_nz r0.z
mov r1.xy, l(0.5, 0.5, 0.0, 0.0)
endif
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// slice
mov_sat r1.xy, r0.xyxx
utof r1.z, vThreadIDInGroup.x
sample_l_indexable(texture2darray)(float,float,float,float) r2.x, r1.xyzx, t2.xyzw, s0, l(0.0)

// gradients
mul r1.xyzw, r1.xyzw, l(0.001, 0.002, 0.003, 0.004)
sample_d_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, r1.zwzz, l(0.5, 0.0, 0.0, 0.0)

// direction
mov_sat r1.xy, r0.xyxx
mov r1.z, l(1.0)
sample_l_indexable(texturecube)(float,float,float,float) r2.x, r1.xyzx, t3.xyzw, s0, l(0.0)
