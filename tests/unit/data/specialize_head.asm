cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_sampler s0, mode_default
{}dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 2
dcl_thread_group 64, 1, 1
itof r0.xyzw, cb0[0].xyzw
mul r0.xyzw, r0.xyzw, r0.xyzw
{}
ret
