cs_5_1
dcl_sampler S0[0:0], mode_default, space=0
dcl_sampler S1[2:4], mode_default, space=1
dcl_sampler S2[9:9], mode_comparison, space=0
dcl_resource_texture2d (float,float,float,float) T0[0:0], space=0
dcl_resource_texture2d (float,float,float,float) T1[1:1], space=0
dcl_uav_structured U0[0:0], 4, space=0
dcl_temps 1
dcl_thread_group 1, 1, 1
sample_l r0.x, l(-3.0, -3.0, 0, 0), T0[0].xyzw, S0[0], l(0)
store_structured U0[0].x, l(0), l(0), r0.x
sample_l r0.x, l(-3.0, -3.0, 0, 0), T0[0].xyzw, S1[2], l(0)
store_structured U0[0].x, l(1), l(0), r0.x
sample_l r0.x, l(1.25, 0.5, 0, 0), T0[0].xyzw, S1[4], l(0)
store_structured U0[0].x, l(2), l(0), r0.x
sample_l r0.x, l(0.6, 0.5, 0, 0), T0[0].xyzw, S1[3], l(0)
store_structured U0[0].x, l(3), l(0), r0.x
sample_c_lz r0.x, l(0.5, 0.5, 0, 0), T1[1].xxxx, S2[9], l(0.5)
store_structured U0[0].x, l(4), l(0), r0.x
ret
