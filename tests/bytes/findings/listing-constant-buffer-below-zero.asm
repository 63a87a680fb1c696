cs_5_0
dcl_constantbuffer CB2147483648[7], immediateIndexed
dcl_thread_group 1, 1, 1
ret
