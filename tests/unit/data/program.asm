{version}
dcl_globalFlags refactoringAllowed
dcl_constantbuffer {declared}, dynamicIndexed{space}
dcl_uav_raw {uav}{space}
dcl_temps 1
dcl_thread_group 1, 1, 1
add r0.x, {cb}[0].x, {cb}[0].y
iadd r0.y, {cb}[1].x, r0.x
mad r0.x, {cb}[2].x, r0.x, -{cb}[3].y
ishl r0.x, r0.x, {cb}[2].y
mov r0.x, {cb}[4].x
mul r0.x, {cb}[5].x, {cb}[r0.x + 6].x
add r0.xz, {cb}[7].yxwx, r0.xxxx
store_raw {stored}.x, l(0), r0.x
ret
