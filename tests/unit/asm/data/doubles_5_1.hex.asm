cs_5_1
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enableMinimumPrecision | enable11_1DoubleExtensions
dcl_uav_structured U0[0:0], 24, space=0
dcl_uav_typed_buffer (sint,sint,sint,sint) U1[1:1], space=0
dcl_input vThreadID.xyz
dcl_temps 4
dcl_thread_group 8, 4, 2
ld_structured [precise(xy)] r0.xy, vThreadID.x, l(0x00000010), U0[0].xyxx
mov [precise(zw)] r0.zw, r0.xxxy
mov [precise(xy)] r0.xy, vThreadID.xyxx
dfma [precise(xy)] r1.xy, r0.zwzw, r0.xyxy, d(0x00000000, 0x40040000, 0x00000000, 0x00000000)
drcp [precise(zw)] r1.zw, r0.xyxy
dadd [precise(xy)] r1.xy, r1.zwzw, r1.xyxy
ddiv [precise(zw)] r0.zw, r0.zwzw, r0.xyxy
dadd [precise(zw)] r0.zw, -r0.zwzw, r1.xyxy
dlt [precise(x)] r1.x, r0.xyxy, r0.zwzw
dne [precise(y)] r1.y, r0.zwzw, d(0x00000000, 0x3ff00000, 0x00000000, 0x00000000)
and [precise(x)] r1.x, r1.y, r1.x
if_nz r1.x
  dmax [precise(xy)] r1.xy, -r0.xyxy, r0.zwzw
  dmul [precise(xy)] r1.xy, r1.xyxy, d(0xc2f8f359, 0x01a56e1f, 0x00000000, 0x00000000)
else 
  dmov [precise(xy)] r1.xy, r0.zwzw
endif 
utod r0.zw, vThreadID.z
dadd r0.zw, r0.zwzw, r1.xyxy
itod r1.zw, vThreadID.y
dadd r0.zw, r0.zwzw, r1.zwzw
dlt r1.z, r1.xyxy, d(0x00000000, 0x00000000, 0x00000000, 0x00000000)
dmovc r1.zw, r1.zzzz, -r1.xyxy, |r0.xyxy|
dadd r0.zw, r0.zwzw, r1.zwzw
store_structured U0[0].xy, vThreadID.y, l(0x00000010), r0.zwzz
dtoi r0.z, r1.xyxy
dtou r0.w, r0.xyxy
iadd r0.z, r0.w, r0.z
utof r0.z, r0.z
dtof r0.w, r1.xyxy
add r0.z, r0.w, r0.z
ftoi r0.z, r0.z
store_uav_typed U1[1].xyzw, vThreadID.xxxx, r0.zzzz
dmul [precise(xy)] r0.xy, r0.xyxy, r1.xyxy
dadd [precise(xy)] r0.xy, r0.xyxy, d(0x00000000, 0x3ff00000, 0x00000000, 0x00000000)
store_structured U0[0].xy, vThreadID.z, l(0x00000010), r0.xyxx
utof r2.x {min16f}, vThreadID.z
ishl r3.x {min16u}, vThreadID.y {def32 as min16u}, l(0x00000002)
imad r3.x {min16u}, vThreadID.x {def32 as min16u}, l(0x00000003) {def32 as min16u}, r3.x {min16u}
mul r2.x {min16f}, r2.x {min16f}, l(0x3e4ccccd) {def32 as min16f}
ftoi r0.x, r2.x {min16f}
iadd r0.x, r0.x, r3.x {min16u as def32}
ilt r0.y, vThreadID.x, l(0x00000002)
and r0.y, r0.y, l(0x00000001)
iadd r0.x, r0.y, r0.x
ult r0.y, l(0x00000003), vThreadID.y
and r0.y, r0.y, l(0x00000001)
iadd r0.x, r0.y, r0.x
ld_uav_typed r0.y, vThreadID.yyyy, U1[1].yxzw
iadd r0.x, r0.x, r0.y
store_uav_typed U1[1].xyzw, vThreadID.yyyy, r0.xxxx
ret 
// Approximately 52 instruction slots used
