cs_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 1, 2, 3, 4},
                              { 5, 6, 7, 8} }
dcl_constantbuffer CB0[4], dynamicIndexed
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_indexableTemp x0[3], 2
dcl_thread_group 8, 1, 1
mov x0[vThreadID.x + 1].xy, cb0[vThreadID.x + 0].zwzz
iadd r0.x, x0[1].y, icb[vThreadID.x + 0].x
store_raw u0.x, l(0), r0.x
ret
