// fxc -T cs_5_0 -E main
// A group of 256 threads that reverses itself in 16 KiB of shared memory.
groupshared uint cache[4096];
RWStructuredBuffer<uint> values : register(u0);
[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
  cache[lane * 16] = values[id.x];
  GroupMemoryBarrierWithGroupSync();
  values[id.x] = cache[(255 - lane) * 16];
}
