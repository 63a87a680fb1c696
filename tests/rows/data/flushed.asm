cs_5_0
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 6
dcl_thread_group 64, 1, 1
ishl r0.x, vThreadID.x, l(3)
ld_raw r1.xy, r0.x, t0.xyxx
ishl r0.x, vThreadID.x, l(6)
iadd r0.yzw, r0.xxxx, l(0, 16, 32, 48)
mul r2.x, r1.x, r1.x
mul r2.y, r1.x, -r1.x
add r2.z, r1.x, -r1.y
mul r2.w, r2.z, r2.z
max r3.x, r2.z, l(1.0)
add r3.y, r2.z, l(-1.0)
mul r3.z, |r2.z|, r1.y
round_z r3.w, -r2.z
mul r4.x, r2.z, l(0.5)
mad r4.y, r4.x, l(2.0), r2.x
mul r4.z, r2.w, r2.w
lt r4.w, -r2.z, l(0.0)
max r5.x, r1.x, l(0x7fc00000)
max r5.y, l(0xffc00000), r1.x
min r5.z, r1.x, l(0x7fc00000)
min r5.w, l(0xffc00001), r1.x
store_raw u0.xyzw, r0.x, r2.xyzw
store_raw u0.xyzw, r0.y, r3.xyzw
store_raw u0.xyzw, r0.z, r5.xyzw
store_raw u0.xyzw, r0.w, r4.xyzw
ret
