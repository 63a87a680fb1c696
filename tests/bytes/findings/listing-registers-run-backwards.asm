// Buffer Definitions:
//
// interfaces a
// {
//
//   Texture2D one;                     // Offset:    0 Size:     4
//      Texture: t5-t3, Sampler: s4-s1
//
// }
//
cs_5_0
dcl_thread_group 1, 1, 1
ret
