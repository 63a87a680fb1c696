// How often each low byte occurs: counted by group-shared atomics, then added up.
StructuredBuffer<uint> values : register(t0);
RWStructuredBuffer<uint> bins : register(u0);
cbuffer Params : register(b0) { uint count; };

groupshared uint local_bins[256];

[numthreads(256, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
  local_bins[lane] = 0;
  GroupMemoryBarrierWithGroupSync();
  for (uint i = 0; i < 16; ++i) {
    uint at = (group.x * 16 + i) * 256 + lane;
    if (at < count) InterlockedAdd(local_bins[values[at] & 255], 1);
  }
  GroupMemoryBarrierWithGroupSync();
  if (local_bins[lane] != 0) InterlockedAdd(bins[lane], local_bins[lane]);
}
