ld_raw r0.x, l(0), cb0[0].x  // cb is not a buffer

else  // else without its if (outside of any)

if_nz r0.x
loop
else  // else without its if (inside loop)

if_nz r0.x
else
else  // a second else for one if

endif  // endif without its if (outside of any)

if_nz r0.x
endloop  // endloop without its loop (inside if)

endswitch  // endswitch without its switch

nop
if_nz r0.x  // if is never closed
ret

loop  // loop is never closed
ret

switch r0.x  // switch is never closed
case l(1)
ret

case l(1)  // case without its switch (outside of any)

switch r0.x
case l(0)
if_nz r0.x
case l(1)  // case without its switch (inside if)

default  // default without its switch

switch r0.x
case l(1)
break
case l(1)  // a second case 1 in one switch

switch r0.x
default
break
default  // a second default in one switch

switch r0.x
case r1.x  // the label of a case is an immediate

break  // break outside of a loop or switch

if_nz r0.x
breakc_z r0.x  // breakc outside of a loop or switch

switch r0.x
default
continue  // continue outside of a loop

continuec_nz r0.x  // continuec outside of a loop

call label3  // there is no label label3
ret

call label0
ret
label label0
callc_nz r0.x, label0  // label0 calls itself
ret

call label0
ret
label label0
call label1
ret
label label1
call label0  // label0 calls itself
ret

dcl_uav_typed_texturecube (uint,uint,uint,uint) u3  // a UAV cannot be a texturecube

ret
label label0
ret
label label0  // a second label label0
ret

loop  // loop is never closed
label label0

mov r4.x, r0.x  // r4 is not declared: dcl_temps 4

mov r0.x, r9.x  // r9 is not declared: dcl_temps 4

ld_raw r0.x, r0.x, t3.x  // t3 is not declared

mov r0.x, x5[0].x  // x5 is not declared

mov r0.x, cb2[0].x  // cb2 is not declared

mov r0.x, icb[r0.x + 0].x  // icb is not declared

dcl_resource_raw t3
iadd r0.x, r0.x, t3.x  // t cannot be read here

iadd r0.x, r0.x, u0.x  // u cannot be read here

iadd r0.x, g0.x, r0.x  // g cannot be read here

sample_l r0.xyzw, r0.xyxx, t1.xyzw, s4, l(0)  // s4 is not declared

mov x0[1].z, r0.x  // x0 has 2 components

mov r0.x, x0[1].w  // x0 has 2 components

store_raw u0.xz, r0.x, r0.xyzw  // store_raw takes the write masks .x .xy .xyz .xyzw, not .xz

store_structured u1.y, r0.x, l(0), r0.xyzw  // store_structured takes the write masks .x .xy .xyz .xyzw, not .y

store_uav_typed u2.x, r0.xxxx, r0.xyzw  // store_uav_typed writes .xyzw

store_raw t0.x, r0.x, r0.x  // t0 is read-only

ld_raw r0.x, r0.x, u1.x  // ld_raw on u1, which is structured

ld_structured r0.x, r0.x, l(0), t0.x  // ld_structured on t0, which is raw

ld r0.xyzw, r0.xyzw, t0.xyzw  // ld on t0, which is raw

ldms r0.xyzw, r0.xyzw, t1.xyzw, l(0)  // ldms on t1, which is a texture2d

atomic_iadd u2, r0.x, r0.x  // atomic_iadd needs uint or sint; u2 holds floats

atomic_iadd t0, r0.x, r0.x  // t0 is read-only

imm_atomic_alloc r0.x, u0  // u0 has no hidden counter

sample_l r0.xyzw, r0.xyxx, t0.xyzw, s0, l(0)  // sample_l on t0, which is a raw

bufinfo r0.x, g0.x  // bufinfo on g0, which is a shared raw

dcl_resource_texture3d (float,float,float,float) t4
gather4 r0.xyzw, r0.xyzw, t4.xyzw, s0.x  // gather4 on t4, which is a texture3d

dcl_resource_texture1darray (float,float,float,float) t4
gather4_c r0.xyzw, r0.xyzw, t4.xxxx, s0.x, r0.x  // gather4_c on t4, which is a texture1darray

dcl_resource_texturecube (float,float,float,float) t4
gather4_po r0.xyzw, r0.xyzw, r0.xyxx, t4.xyzw, s0.x  // gather4_po on t4, which is a texturecube

dcl_resource_texture3d (float,float,float,float) t4
sample_c_lz r0.x, r0.xyzw, t4.xxxx, s0, r0.x  // sample_c_lz on t4, which is a texture3d

dcl_resource_texture2d (uint,uint,uint,uint) t4
sample_c_lz r0.x, r0.xyxx, t4.xxxx, s0, r0.x  // sample_c_lz takes floats; t4 holds uint

dcl_resource_texture2d (sint,sint,sint,sint) t4
gather4_po_c r0.x, r0.xyxx, r0.xyxx, t4.xxxx, s0.x, r0.x  // gather4_po_c takes floats; t4 holds sint

dcl_resource_texturecubearray (float,float,float,float) t4
sample_l_aoffimmi(0,1,0) r0.xyzw, r0.xyzw, t4.xyzw, s0, r0.x  // an offset on t4, which is a cube

dadd r0.x, r0.xyxy, r0.xyxy  // a double is written to .xy, .zw

fcall fp0[0][0]  // fp0 is not declared

fcall fp0[r0.x + 0][0]  // fp0 is not declared

dcl_function_body fb0
dcl_function_table ft0 = {fb0}
dcl_interface fp0[1][1] = {ft0}
fcall fp0[1][0]  // fp0 has no element 1, call site 0
ret
label fb0
ret

iadd r0.x, r0.x, |r1.x|  // iadd takes integers as b, and | | is for floats

imad r0.x, -|r0.x|, r1.x, r1.x  // imad takes integers as a, and | | is for floats

utof r0.x, |r1.x|  // utof takes integers as a, and | | is for floats

movc r0.x, |r0.x|, r1.x, r2.x  // movc takes integers as condition, and | | is for floats

ftoi r0.x, |r1.x|
mov r0.x, |r1.x|
and r0.x, r0.x, |l(-1)|  // and takes integers as b, and | | is for floats

umul null, r0.x, r1.x, |r0.x|  // umul takes integers as b, and | | is for floats

iadd null, r0.x, |r0.x|  // iadd takes integers as b, and | | is for floats

if_nz |r0.x|  // if takes integers as condition, and | | is for floats
endif

ld_raw r0.x, |r1.x|, t0.xxxx  // ld_raw takes integers as byte_offset, and | | is for floats

atomic_iadd u0, r0.x, |r1.x|  // atomic_iadd takes integers as value, and | | is for floats

resinfo r0.x, |r1.x|, t1.xyzw  // resinfo takes integers as mip, and | | is for floats

gather4_po r0.x, r0.xyxx, |r0.xyxx|, t1.xyzw, s0.x  // gather4_po takes integers as offset, and | | is for floats

mov r0.x, x0[|r0.x| + 1].x  // mov takes integers as index, and | | is for floats

mov r0.x, cb0[x0[|r0.x|].x + 0].x  // mov takes integers as index, and | | is for floats

dcl_resource_texture2d (uint,uint,uint,uint) t4
sample_l r0.xyzw, r0.xyxx, t4.xyzw, s0, l(0)  // sample_l takes floats; t4 holds uint

dcl_resource_texture2d (sint,sint,sint,sint) t4
sample_d r0.xyzw, r0.xyxx, t4.xyzw, s0, r0.xyxx, r0.xyxx  // sample_d takes floats; t4 holds sint

dcl_sampler s1, mode_comparison
sample_l r0.xyzw, r0.xyxx, t1.xyzw, s1, l(0)  // sample_l on s1, which is declared mode_comparison

dcl_sampler s1, mode_comparison
gather4 r0.xyzw, r0.xyxx, t1.xyzw, s1.x  // gather4 on s1, which is declared mode_comparison

sample_c_lz r0.x, r0.xyxx, t1.xxxx, s0, r0.x  // sample_c_lz on s0, which is declared mode_default

gather4_po_c r0.x, r0.xyxx, r0.xyxx, t1.xxxx, s0.x, r0.x  // gather4_po_c on s0, which is declared mode_default

if_nz r0.xyzw  // if takes one component as condition, such as .x
endif

if_z r0.xxxx
loop
breakc_nz r0.xyxx  // breakc takes one component as condition, such as .x

retc_z l(1, 2, 3, 4)  // retc takes one component as condition, such as .x

switch r0.xyzw  // switch takes one component as selector, such as .x
endswitch

switch r0.x
case l(1, 2, 3, 4)  // case takes one component as literal, such as .x
break
endswitch

dcl_temps 5  // dcl_temps: the temporaries are declared twice

mov r0.x, l(0)
dcl_resource_raw t4  // dcl_resource_raw after the instruction mov: declarations come first

dcl_resource_texture3d (float,float,float,float) t4
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, t4.xyzw, s0, l(0)  // sample_l on texture2d; t4 is declared as texture3d

ld_indexable(texture3d)(float,float,float,float) r0.xyzw, r0.xyzw, t1.xyzw  // ld on texture3d; t1 is declared as texture2d

ld_indexable(texture2d)(uint,uint,uint,uint) r0.xyzw, r0.xyzw, t1.xyzw  // ld on uint; t1 is declared as float

ld_uav_typed_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyzw, u2.xyzw  // ld_uav_typed on texture2d; u2 is declared as buffer

ld_structured_indexable(structured_buffer, stride=8)(mixed,mixed,mixed,mixed) r0.x, r0.x, l(0), u1.xxxx  // ld_structured on stride=8; u1 is declared as stride=12

ld_raw_indexable(structured_buffer, stride=12)(mixed,mixed,mixed,mixed) r0.x, r0.x, t0.xxxx  // ld_raw on structured_buffer; t0 is declared as raw_buffer

resinfo_indexable(texture2darray)(float,float,float,float) r0.xyzw, l(0), t1.xyzw  // resinfo on texture2darray; t1 is declared as texture2d

printf "%d", r0.x, r0.xyzw  // printf takes scalars: a component such as .x, or a double such as .xyxy

printf "%d", r0.x, r0.xxxx  // printf takes scalars: a component such as .x, or a double such as .xyxy

printf "%d", r0.x, r0.xy  // printf takes scalars: a component such as .x, or a double such as .xyxy

printf "%d", r0.x, vThreadID.xyxx  // printf takes scalars: a component such as .x, or a double such as .xyxy

printf "%d", r0.x, cb0[0].xyzw  // printf takes scalars: a component such as .x, or a double such as .xyxy

printf "%d", r0.x, l(1, 2, 3, 4)  // printf takes scalars: a component such as .x, or a double such as .xyxy

errorf "%lf %d", cb0[0].zwzw, r0.xyzw  // errorf takes scalars
