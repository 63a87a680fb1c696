
dcl_resource_raw t0
dcl_resource_buffer (uint,uint,uint,uint) t1
dcl_uav_raw u0
ld_raw r0.x, l(0), t0.x
ld r1.xyzw, l(0, 0, 0, 0), t1.xyzw
iadd r0.x, r0.x, r1.x
store_raw u0.x, l(0), r0.x
