cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantBuffer cb0[1], immediateIndexed
dcl_resource_structured t0, 4
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 3
dcl_thread_group 8, 1, 1
ine r0.x, cb0[0].y, l(0)
retp_nz r0.x
ld_structured_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed) r0.x, vThreadID.x, l(0), t0.x
ishl r0.y, vThreadID.x, l(3)
mov r0.zw, l(0, 0, 0, 0)
loop
    uge r1.x, r0.w, cb0[0].x
    breakp_nz r1.x
    ld_structured_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed) r1.x, r0.w, l(0), t0.x
    ieq r1.y, r0.x, r1.x
    iadd r2.y, r0.w, -r1.y
    mov r2.x, r0.z
    mov r0.zw, r2.xxxy
    continuec_nz r1.y
    iadd r1.y, r0.w, r0.y
    store_structured u0.x, r1.y, l(0), r0.w
    iadd r1.x, r0.z, r1.x
    ult r1.z, l(99), r1.x
    iadd r1.y, r0.w, -r1.z
    mov r0.zw, r1.xxxy
    continuec_nz r1.z
    xor r0.z, r1.x, l(5)
    iadd r0.w, r0.w, l(1)
endloop
imad r0.x, vThreadID.x, l(8), l(7)
store_structured u0.x, r0.x, l(0), r0.z
ret
