cs_5_1
dcl_globalFlags refactoringAllowed | skipOptimization
dcl_constantBuffer cb0[0:0][4], dynamicIndexed, space=0
dcl_resource_structured t0[0:0].xyzw, 4, space=0
dcl_uav_structured u0[0:0].xyzw, 64, space=0
dcl_input vThreadID.x
dcl_temps 6
dcl_indexableTemp x0[6], 4
dcl_indexableTemp x1[7], 4
dcl_indexableTemp x2[5], 4
dcl_indexableTemp x3[3], 4
dcl_thread_group 8, 1, 1
itof r0.xyzw, l(1, 2, 3, 4)
itof r1.xyw, l(-7, 0, 0, 8)
itof r2.xyzw, l(9, 10, 11, 12)
itof r3.xyzw, l(100, 200, 300, 400)
mov x0[0].xyzw, r0.xyzw
mov x0[1].xyzw, l(5.00000000e-01, -2.50000000e-01, 9.99999972e-10, 3.00000010e+10)
mov r1.z, l(0x80000000)
mov x0[2].xyzw, r1.xyzw
mov x0[3].xyzw, l(1.50000000e+00, 2.50000000e+00, 3.50000000e+00, 4.50000000e+00)
mov x0[4].xyzw, r2.xyzw
mov x0[5].xyzw, r3.xyzw
mov r0.xyzw, l(2, 3, 5, 7)
mov r1.xyz, l(11, 13, 17, 0)
mov x1[0].x, r0.x
mov x1[1].x, r0.y
mov x1[2].x, r0.z
mov x1[3].x, r0.w
mov x1[4].x, r1.x
mov x1[5].x, r1.y
mov x1[6].x, r1.z
ld_structured r0.x, vThreadID.x, l(0), t0[0].x
mov r0.y, l(6)
udiv null, r0.y, r0.x, r0.y
mov r1.xyzw, x0[r0.y + 0].xyzw
mov r0.y, l(7)
udiv null, r0.y, r0.x, r0.y
mov r0.y, x1[r0.y + 0].x
mov r0.z, l(0)
mov r0.w, r0.z
loop
    mov r2.x, l(5)
    ult r2.x, r0.w, r2.x
    breakp_z r2.x
    mov r2.x, l(3)
    imul null, r2.x, r0.w, r2.x
    ushr r2.x, r0.x, r2.x
    mov r2.y, l(15)
    and r2.x, r2.y, r2.x
    mov x2[r0.w + 0].x, r2.x
    iadd r0.w, r0.w, l(1)
endloop
mov r0.z, l(1)
mov r0.w, r0.z
loop
    mov r2.x, l(5)
    ult r2.x, r0.w, r2.x
    breakp_z r2.x
    mov r2.x, x2[r0.w + 0].x
    mov r2.x, r2.x
    mov r0.w, r0.w
    mov r2.y, r0.w
    loop
        mov r2.z, l(0)
        ult r2.z, r2.z, r2.y
        mov r2.w, l(1)
        ineg r2.w, r2.w
        iadd r2.w, r2.w, r2.y
        mov r2.w, x2[r2.w + 0].x
        ult r2.w, r2.x, r2.w
        and r2.z, r2.w, r2.z
        breakp_z r2.z
        mov r2.z, l(1)
        ineg r2.z, r2.z
        iadd r2.z, r2.z, r2.y
        mov r2.z, x2[r2.z + 0].x
        mov x2[r2.y + 0].x, r2.z
        iadd r2.y, r2.y, l(-1)
    endloop
    mov x2[r2.y + 0].x, r2.x
    iadd r0.w, r0.w, l(1)
endloop
mov r0.z, x2[0].x
mov r0.w, x2[1].x
mov r2.x, x2[2].x
mov r2.y, x2[3].x
mov r2.z, x2[4].x
mov r2.w, l(3)
and r2.w, r0.x, r2.w
mov r3.xyzw, cb0[0][r2.w + 0].xyzw
itof r4.xy, l(1, 2, 0, 0)
itof r4.zw, l(0, 0, 3, 4)
itof r5.xy, l(5, 6, 0, 0)
mov x3[0].xy, r4.xyxx
mov x3[1].xy, r4.zwzz
mov x3[2].xy, r5.xyxx
mov r2.w, l(3)
udiv null, r2.w, r0.x, r2.w
mov r4.x, l(255)
and r4.x, r0.x, r4.x
utof r4.x, r4.x
mov r4.y, l(5.00000000e-01)
mov x3[r2.w + 0].xy, r4.xyxx
mov r2.w, l(4)
ushr r0.x, r0.x, r2.w
mov r2.w, l(3)
udiv null, r0.x, r0.x, r2.w
mov r4.xy, x3[r0.x + 0].xyxx
store_structured u0[0].x, vThreadID.x, l(0), r1.x
store_structured u0[0].x, vThreadID.x, l(4), r1.y
store_structured u0[0].x, vThreadID.x, l(8), r1.z
store_structured u0[0].x, vThreadID.x, l(12), r1.w
store_structured u0[0].x, vThreadID.x, l(16), r0.y
store_structured u0[0].x, vThreadID.x, l(20), r0.z
store_structured u0[0].x, vThreadID.x, l(24), r0.w
store_structured u0[0].x, vThreadID.x, l(28), r2.x
store_structured u0[0].x, vThreadID.x, l(32), r2.y
store_structured u0[0].x, vThreadID.x, l(36), r2.z
store_structured u0[0].x, vThreadID.x, l(40), r3.x
store_structured u0[0].x, vThreadID.x, l(44), r3.y
store_structured u0[0].x, vThreadID.x, l(48), r3.z
store_structured u0[0].x, vThreadID.x, l(52), r3.w
store_structured u0[0].x, vThreadID.x, l(56), r4.x
store_structured u0[0].x, vThreadID.x, l(60), r4.y
ret
