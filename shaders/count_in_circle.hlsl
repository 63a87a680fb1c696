// Counts the points of the unit square that lie in the unit circle, to estimate pi: one count for
// each 1024 points. A point is two dwords of random bits; 24 bits of each dword are used.
#define POINTS 1024
cbuffer Params : register(b0) { uint points; };
ByteAddressBuffer numbers : register(t0);
RWStructuredBuffer<uint> inside : register(u0);

groupshared uint found;

[numthreads(256, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
  if (lane == 0) found = 0;
  GroupMemoryBarrierWithGroupSync();
  uint mine = 0;
  for (uint i = lane; i < POINTS; i += 256) {
    uint number = group.x * POINTS + i;
    precise float2 at = (numbers.Load2(number * 8) >> 8) * (1.0 / 16777216);
    precise float2 squares = at * at;
    precise float sum = squares.x + squares.y;
    if (number < points && sum < 1) ++mine;
  }
  InterlockedAdd(found, mine);
  GroupMemoryBarrierWithGroupSync();
  if (lane == 0) inside[group.x] = found;
}
