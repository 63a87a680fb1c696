
dcl_uav_raw u0
dcl_thread_group 4, 1, 1
printf "thread %u, %g", vThreadID.x, l(0.5)
ieq r0.x, vThreadID.x, l(2)
if_nz r0.x
  abort
endif
store_raw u0.x, l(0), l(1)
