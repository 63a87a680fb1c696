cs_5_1
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d (float,float,float,float) U0[0:1], space=0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 2, 1, 1
utof r0.x, vThreadID.x
add r0.x, r0.x, l(1.5)
imm_atomic_exch r0.y, U0[vThreadID.x + 0] {nonuniform}, vThreadID.xxxx, r0.x
ret
