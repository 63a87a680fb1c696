cs_5_0
dcl_temps 4294967295
dcl_temps 4294967295
dcl_thread_group 1, 1, 1
ret
