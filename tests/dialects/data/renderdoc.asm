cs_5_0
      dcl_globalFlags refactoringAllowed
      dcl_constantbuffer cb3[12] (Params), immediateIndexed
      dcl_resource_structured items (t11), 16
      dcl_uav_structured results (u2), 4, globallyCoherant
      dcl_input vThreadID.xyz
      dcl_temps 2
      dcl_thread_group 1, 1, 1
   0: {}
   1: ret
