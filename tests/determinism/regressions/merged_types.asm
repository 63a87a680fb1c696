cs_5_0
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
ld_raw r0.xyzw, l(0), u0.xyzw
if_nz r0.x
  iadd r0.xyzw, r0.xyzw, l(1, 2, 3, 4)
endif
mad r1.xyzw, r0.xyzw, r0.xyzw, r0.xyzw
store_raw u0.xyzw, l(32), r1.xyzw
ret
