// Resource Bindings:
//
// Name Type Format Dim Bind Count
// ---- ---- ------ --- ---- -----
// image UAV {type} 2d u0 1
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d ({type},{type},{type},{type}) u0
dcl_temps 1
dcl_thread_group 1, 1, 1
store_uav_typed u0.xyzw, l(0, 0, 0, 0), {value}
ret
