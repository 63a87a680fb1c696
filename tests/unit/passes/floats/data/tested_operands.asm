// loaded
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r0.xyxx, t1.xyzw, s0, l(0.0)

// one loaded
mul r1.xyzw, r1.xyzw, l(0.001, 0.002, 0.003, 0.004)
mov r1.y, r0.x
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// level of detail
mul r1.xyzw, r1.xyzw, l(0.001, 0.002, 0.003, 0.004)
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, r0.x

// slice
mov r1.z, r0.z
sample_l_indexable(texture2darray)(float,float,float,float) r2.x, r1.xyzx, t2.xyzw, s0, l(0.0)

// thread ids that get large
mul r1.xy, r1.xyxx, r1.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// a constant that is infinite
sample_l_indexable(texture2d)(float,float,float,float) r2.x, l(0x7f800000, 0, 0, 0), t1.xyzw, s0, l(0.0)

// a constant that is no number
sample_l_indexable(texture2d)(float,float,float,float) r2.x, l(0, 0, 0, 0), t1.xyzw, s0, l(0x7fc00000)

// a bound on one side
max r1.xy, r0.xyxx, l(0.0, 0.0, 0.0, 0.0)
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// clamped by what is unknown
mov_sat r1.x, r0.z
max r1.xy, r0.xyxx, r1.xxxx
min r1.xy, r1.xyxx, r0.zzzz
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// fractions of what may be infinite
frc r1.xy, r0.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// quotients
div r1.xy, r1.xyxx, r0.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// quotients by what may be zero
div r1.xy, l(1.0, 1.0, 1.0, 1.0), r1.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// roots
rsq r1.xy, r1.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// products that overflow
mul r1.xy, r1.xyxx, l(1e30, 1e30, 0, 0)
mul r1.xy, r1.xyxx, l(1e30, 1e30, 0, 0)
mul r1.xy, r1.xyxx, l(0, 0, 0, 0)
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// chosen
mov_sat r1.xy, r0.xyxx
movc r1.xy, r0.zzzz, r1.xyxx, r0.xyxx
sample_l_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, l(0.0)

// gradients
mul r1.xyzw, r1.xyzw, l(0.001, 0.002, 0.003, 0.004)
sample_d_indexable(texture2d)(float,float,float,float) r2.x, r1.xyxx, t1.xyzw, s0, r0.xyxx, l(0.5, 0.0, 0.0, 0.0)

// a direction that may be zero
mov_sat r1.xyz, r0.xyzx
sample_l_indexable(texturecube)(float,float,float,float) r2.x, r1.xyzx, t3.xyzw, s0, l(0.0)

// a direction that may be large
mov r1.z, l(1.0)
mul r1.xy, r1.xyxx, l(1e9, 1e9, 0, 0)
sample_l_indexable(texturecube)(float,float,float,float) r2.x, r1.xyzx, t3.xyzw, s0, l(0.0)
