// store: robust_buffer_access2
store_raw u0.x, cb0[0].x, cb0[0].y

// load: robust_buffer_access robust_buffer_access2
ld_raw r0.x, cb0[0].x, u0.xxxx
store_raw u0.x, l(0), r0.x

// used atomic: robust_buffer_access2
imm_atomic_iadd r0.x, u0, cb0[0].x, l(1)
store_raw u0.x, l(0), r0.x

// group-shared memory:
dcl_tgsm_raw g0, 256
ld_raw r0.x, cb0[0].x, g0.xxxx
store_raw g0.x, cb0[0].x, r0.x

// texel: robust_buffer_access2
dcl_resource_texture2d (float,float,float,float) t0
ld_indexable(texture2d)(float,float,float,float) r1.xyzw, cb0[0].xyzz, t0.xyzw
store_raw u0.x, cb0[0].x, r1.x

// texel of the first mip: robust_buffer_access2 robust_image_access
dcl_resource_texture2d (float,float,float,float) t0
mov r0.xyzw, cb0[0].xyzw
mov r0.zw, l(0,0,0,0)
ld_indexable(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw
store_raw u0.x, cb0[0].x, r1.x

// conversion to a half: exact_halves robust_buffer_access2
f32tof16 r1.x, r0.x
store_raw u0.x, cb0[0].x, r1.x

// conversion from a half: exact_halves robust_buffer_access2
f16tof32 r1.x, r0.x
store_raw u0.x, cb0[0].x, r1.x

// integer: exact_integers robust_buffer_access2
utof r1.x, cb0[0].x
store_raw u0.x, cb0[0].x, r1.x

// small integer: robust_buffer_access2
utof r1.x, vThreadID.x
store_raw u0.x, cb0[0].x, r1.x

// power: exact_powers robust_buffer_access2
exp r1.x, r0.x
store_raw u0.x, cb0[0].x, r1.x

// logarithm: exact_powers robust_buffer_access2
log r1.x, r0.x
store_raw u0.x, cb0[0].x, r1.x

// cosine: exact_sines robust_buffer_access2
sincos null, r1.x, r0.x
store_raw u0.x, cb0[0].x, r1.x

// sample: exact_coordinates robust_buffer_access2
dcl_resource_texture2d (float,float,float,float) t0
sample_l_indexable(texture2d)(float,float,float,float) r1.xyzw, cb0[0].xyzx, t0.xyzw, s0, l(0)
store_raw u0.x, cb0[0].x, r1.x

// sample of a mip: exact_coordinates exact_levels_of_detail robust_buffer_access2
dcl_resource_texture2d (float,float,float,float) t0
sample_l_indexable(texture2d)(float,float,float,float) r1.xyzw, cb0[0].xyzx, t0.xyzw, s0, cb0[0].w
store_raw u0.x, cb0[0].x, r1.x

// sample of an array: exact_coordinates exact_slices robust_buffer_access2
dcl_resource_texture2darray (float,float,float,float) t0
sample_l_indexable(texture2darray)(float,float,float,float) r1.xyzw, cb0[0].xyzx, t0.xyzw, s0, l(0)
store_raw u0.x, cb0[0].x, r1.x

// sample of a cube: exact_directions robust_buffer_access2
dcl_resource_texturecube (float,float,float,float) t0
sample_l_indexable(texturecube)(float,float,float,float) r1.xyzw, cb0[0].xyzx, t0.xyzw, s0, l(0)
store_raw u0.x, cb0[0].x, r1.x

// sample by gradients: exact_coordinates exact_gradients robust_buffer_access2
dcl_resource_texture2d (float,float,float,float) t0
sample_d_indexable(texture2d)(float,float,float,float) r1.xyzw, cb0[0].xyzx, t0.xyzw, s0, cb0[0].xyzw, cb0[0].zwxy
store_raw u0.x, cb0[0].x, r1.x
