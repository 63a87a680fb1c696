// Counts each of 256 levels in a grey picture.
Texture2D<uint> image : register(t0);
RWStructuredBuffer<uint> counts : register(u0);

groupshared uint group_counts[256];

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
  group_counts[lane] = 0;
  GroupMemoryBarrierWithGroupSync();
  uint2 size;
  image.GetDimensions(size.x, size.y);
  if (all(id.xy < size)) InterlockedAdd(group_counts[image[id.xy]], 1);
  GroupMemoryBarrierWithGroupSync();
  if (group_counts[lane] != 0) InterlockedAdd(counts[lane], group_counts[lane]);
}
