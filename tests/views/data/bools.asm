// Buffer Definitions:
//
// Resource bind info for a
// {
//
//   bool $Element;                     // Offset:    0 Size:     4
//
// }
//
// Resource bind info for r
// {
//
//   bool $Element;                     // Offset:    0 Size:     4
//
// }
//
// Resource bind info for f
// {
//
//   float $Element;                    // Offset:    0 Size:     4
//
// }
//
// Resource bind info for n
// {
//
//   int $Element;                      // Offset:    0 Size:     4
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// a                                 texture  struct         r/o             t0      1
// r                                     UAV  struct         r/w             u0      1
// f                                     UAV  struct         r/w             u1      1
// n                                     UAV  struct         r/w             u2      1
//
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 4
dcl_uav_structured u0, 4
dcl_uav_structured u1, 4
dcl_uav_structured u2, 4
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 4, 1, 1
ld_structured r0.x, vThreadID.x, l(0), t0.xxxx
not r0.y, r0.x
store_structured u0.x, vThreadID.x, l(0), r0.y
and r0.yz, r0.xxxx, l(0, 0x3f800000, 1, 0)
store_structured u1.x, vThreadID.x, l(0), r0.y
movc r0.x, r0.x, l(2), r0.z
store_structured u2.x, vThreadID.x, l(0), r0.x
ret
