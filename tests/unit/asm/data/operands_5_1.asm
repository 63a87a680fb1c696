cs_5_1
mov r0.x, r1.yxyx
mov r0.y, r1.zxyx
mov r0.xy, r1.wxyx
mov r0.z, r1.xyyx
mov r0.xz, r1.yyyx
mov r0.yz, r1.zyyx
mov r0.xyz, r1.wyyx
mov r0.w, r1.xzyx
mov r0.xw, r1.yzyx
mov r0.yw, r1.zzyx
mov r0.xyw, r1.wzyx
mov r0.zw, r1.xwyx
mov r0.xzw, r1.ywyx
mov r0.yzw, r1.zwyx
mov r0.xyzw, r1.wwyx
add r0.xyzw, r1.x, l(1.000000, 0.000000, 0.000000, 0.000000)
add r0.xyzw, -r1.y, -l(1.000000, 0.000000, 0.000000, 0.000000)
add r0.xyzw, |r1.z|, |l(1.000000, 0.000000, 0.000000, 0.000000)|
add r0.xyzw, -|r1.w|, -|l(1.000000, 0.000000, 0.000000, 0.000000)|
sincos null, r0.xyzw, r1.xyzw
mov r0.xyzw, x3[r5.y + 0].xyzw
mov r0.xyzw, icb[r5.y + 0].xyzw
mov r0.xyzw, CB3[r5.y + 0][r5.y + 0].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[r5.y + 0].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, U3[r5.y + 0].xyzw { nonuniform }
mov r0.xyzw, x3[r5.y + 1].xyzw
mov r0.xyzw, icb[r5.y + 1].xyzw
mov r0.xyzw, CB3[r5.y + 1][r5.y + 1].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[r5.y + 1].xyzw
ld_raw r0.xyzw, r0.x, U3[r5.y + 1].xyzw
mov r0.xyzw, x3[r5.y + -1].xyzw
mov r0.xyzw, icb[r5.y + -1].xyzw
mov r0.xyzw, CB3[r5.y + -1][r5.y + -1].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[r5.y + -1].xyzw
ld_raw r0.xyzw, r0.x, U3[r5.y + -1].xyzw
mov r0.xyzw, x3[r5.y + 12345678].xyzw
mov r0.xyzw, icb[r5.y + 12345678].xyzw
mov r0.xyzw, CB3[r5.y + 12345678][r5.y + 12345678].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[r5.y + 12345678].xyzw
ld_raw r0.xyzw, r0.x, U3[r5.y + 12345678].xyzw
mov r0.xyzw, x3[x1[7].z + 0].xyzw
mov r0.xyzw, icb[x1[7].z + 0].xyzw
mov r0.xyzw, CB3[x1[7].z + 0][r5.y + 0].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[x1[7].z + 0].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, U3[x1[7].z + 0].xyzw { nonuniform }
mov r0.xyzw, x3[x1[7].z + 1].xyzw
mov r0.xyzw, icb[x1[7].z + 1].xyzw
mov r0.xyzw, CB3[x1[7].z + 1][r5.y + 1].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[x1[7].z + 1].xyzw
ld_raw r0.xyzw, r0.x, U3[x1[7].z + 1].xyzw
mov r0.xyzw, x3[x1[7].z + -1].xyzw
mov r0.xyzw, icb[x1[7].z + -1].xyzw
mov r0.xyzw, CB3[x1[7].z + -1][r5.y + -1].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[x1[7].z + -1].xyzw
ld_raw r0.xyzw, r0.x, U3[x1[7].z + -1].xyzw
mov r0.xyzw, x3[x1[7].z + 12345678].xyzw
mov r0.xyzw, icb[x1[7].z + 12345678].xyzw
mov r0.xyzw, CB3[x1[7].z + 12345678][r5.y + 12345678].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[x1[7].z + 12345678].xyzw
ld_raw r0.xyzw, r0.x, U3[x1[7].z + 12345678].xyzw
mov r0.xyzw, x3[r5.y {min16u} + 0].xyzw
mov r0.xyzw, icb[r5.y {min16u} + 0].xyzw
mov r0.xyzw, CB3[r5.y {min16u} + 0][r5.y + 0].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[r5.y {min16u} + 0].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, U3[r5.y {min16u} + 0].xyzw { nonuniform }
mov r0.xyzw, x3[r5.y {min16u} + 1].xyzw
mov r0.xyzw, icb[r5.y {min16u} + 1].xyzw
mov r0.xyzw, CB3[r5.y {min16u} + 1][r5.y + 1].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[r5.y {min16u} + 1].xyzw
ld_raw r0.xyzw, r0.x, U3[r5.y {min16u} + 1].xyzw
mov r0.xyzw, x3[r5.y {min16u} + -1].xyzw
mov r0.xyzw, icb[r5.y {min16u} + -1].xyzw
mov r0.xyzw, CB3[r5.y {min16u} + -1][r5.y + -1].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[r5.y {min16u} + -1].xyzw
ld_raw r0.xyzw, r0.x, U3[r5.y {min16u} + -1].xyzw
mov r0.xyzw, x3[r5.y {min16u} + 12345678].xyzw
mov r0.xyzw, icb[r5.y {min16u} + 12345678].xyzw
mov r0.xyzw, CB3[r5.y {min16u} + 12345678][r5.y + 12345678].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[r5.y {min16u} + 12345678].xyzw
ld_raw r0.xyzw, r0.x, U3[r5.y {min16u} + 12345678].xyzw
mov r0.xyzw, x3[vThreadIDInGroupFlattened0.x + 0].xyzw
mov r0.xyzw, icb[vThreadIDInGroupFlattened0.x + 0].xyzw
mov r0.xyzw, CB3[vThreadIDInGroupFlattened0.x + 0][r5.y + 0].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[vThreadIDInGroupFlattened0.x + 0].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, U3[vThreadIDInGroupFlattened0.x + 0].xyzw { nonuniform }
mov r0.xyzw, x3[vThreadIDInGroupFlattened0.x + 1].xyzw
mov r0.xyzw, icb[vThreadIDInGroupFlattened0.x + 1].xyzw
mov r0.xyzw, CB3[vThreadIDInGroupFlattened0.x + 1][r5.y + 1].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[vThreadIDInGroupFlattened0.x + 1].xyzw
ld_raw r0.xyzw, r0.x, U3[vThreadIDInGroupFlattened0.x + 1].xyzw
mov r0.xyzw, x3[vThreadIDInGroupFlattened0.x + -1].xyzw
mov r0.xyzw, icb[vThreadIDInGroupFlattened0.x + -1].xyzw
mov r0.xyzw, CB3[vThreadIDInGroupFlattened0.x + -1][r5.y + -1].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[vThreadIDInGroupFlattened0.x + -1].xyzw
ld_raw r0.xyzw, r0.x, U3[vThreadIDInGroupFlattened0.x + -1].xyzw
mov r0.xyzw, x3[vThreadIDInGroupFlattened0.x + 12345678].xyzw
mov r0.xyzw, icb[vThreadIDInGroupFlattened0.x + 12345678].xyzw
mov r0.xyzw, CB3[vThreadIDInGroupFlattened0.x + 12345678][r5.y + 12345678].xyzw { nonuniform }
ld_raw r0.xyzw, r0.x, T3[vThreadIDInGroupFlattened0.x + 12345678].xyzw
ld_raw r0.xyzw, r0.x, U3[vThreadIDInGroupFlattened0.x + 12345678].xyzw
mov r0.xyzw, vThreadID.xyzw
mov r0.xyzw, vThreadGroupID.xyzw
mov r0.xyzw, vThreadIDInGroup.xyzw
mov r0.xyzw, vThreadIDInGroupFlattened.xyzw
mov r0.xyzw, vCycleCounter.xyzw
mov r0.xyzw, this[0].xyzw
mov r0.xyzw, this[r5.y + 1].xyzw
sampleinfo r0.xyzw, rasterizer.x
ld_structured r0.xyzw, r0.x, l(4), g1.xyzw
atomic_iadd g1, r0.x, l(1)
// Approximately 0 instruction slots used
