// a barrier orders store and load
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), vThreadIDInGroupFlattened.x
sync_g_t
ld_structured r0.x, r7.x, l(0), g0.xxxx

// own accesses
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), vThreadIDInGroupFlattened.x
ld_structured r0.x, vThreadIDInGroupFlattened.x, l(0), g0.xxxx
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), l(5)
ld_structured r0.x, vThreadIDInGroupFlattened.x, l(0), g0.xxxx

// the same value stored to one place
store_structured g0.x, l(3), l(0), l(1)

// an atomic that changes nothing
store_structured g0.x, l(0), l(0), l(0)
sync_g_t
atomic_or g0, l(0,0,0,0), l(0)
ld_structured r0.x, l(0), l(0), g0.xxxx
atomic_or g0, l(0,0,0,0), l(0)

// an atomic and a load of a thread
mov r6.x, vThreadIDInGroupFlattened.x
mov r6.y, l(0)
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), vThreadIDInGroupFlattened.x
sync_g_t
atomic_iadd g0, r6.xyxx, l(1)
ld_structured r0.x, vThreadIDInGroupFlattened.x, l(0), g0.xxxx
atomic_iadd g0, r6.xyxx, l(1)

// atomics beside atomics
store_structured g0.x, l(0), l(0), l(0)
sync_g_t
atomic_iadd g0, l(0,0,0,0), l(1)
atomic_iadd g0, l(0,0,0,0), l(1)

// groups have memory of their own
if_z vThreadIDInGroupFlattened.x
store_structured g0.x, l(0), l(0), vThreadGroupID.x
ld_structured r0.x, l(0), l(0), g0.xxxx
endif

// a barrier after a branch
ult r1.x, vThreadIDInGroupFlattened.x, l(4)
if_nz r1.x
mov r0.x, l(1)
endif
sync_g_t

// a barrier in a branch of whole groups
if_nz vThreadGroupID.x
sync_g_t
endif

// a barrier in a loop of as many rounds for all
mov r0.x, l(0)
loop
uge r1.x, r0.x, vThreadGroupID.x
breakc_nz r1.x
iadd r0.x, r0.x, l(1)
sync_g_t
endloop

// a fence alone need not be met
ult r1.x, vThreadIDInGroupFlattened.x, l(4)
if_nz r1.x
sync_uglobal_g
endif
