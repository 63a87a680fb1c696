// Inclusive prefix sum of each group's 256 elements, and the group's total.
// The host runs it again over the totals, then adds them (add_offsets = 1).
cbuffer Params : register(b0) { uint count; uint add_offsets; };
StructuredBuffer<uint> values : register(t0);
StructuredBuffer<uint> offsets : register(t1);
RWStructuredBuffer<uint> sums : register(u0);
RWStructuredBuffer<uint> totals : register(u1);

groupshared uint scan[256];

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
  uint value = id.x < count ? values[id.x] : 0;
  scan[lane] = value;
  GroupMemoryBarrierWithGroupSync();
  for (uint step = 1; step < 256; step <<= 1) {
    uint before = lane >= step ? scan[lane - step] : 0;
    GroupMemoryBarrierWithGroupSync();
    value += before;
    scan[lane] = value;
    GroupMemoryBarrierWithGroupSync();
  }
  // Group 0 loads offsets[-1], which is out of bounds of every buffer, so it is 0.
  if (add_offsets != 0) value += offsets[group.x - 1];
  if (id.x < count) sums[id.x] = value;
  if (lane == 255) totals[group.x] = scan[255];
}
