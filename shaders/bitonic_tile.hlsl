// All steps of a bitonic sort that stay within 512 pairs, in group-shared memory: those with
// distances of 256 and less. The host calls it for blocks 2 to 512 at once (first_block = 2,
// last_block = 512), then at the end of each larger block (first_block = last_block = block).
#define TILE 512
struct Pair { uint key; uint value; };
cbuffer Params : register(b0) { uint first_block; uint last_block; };
RWStructuredBuffer<Pair> pairs : register(u0);

groupshared Pair tile[TILE];

bool after(Pair a, Pair b) {
  return a.key > b.key || (a.key == b.key && a.value > b.value);
}

[numthreads(TILE / 2, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
  uint count, stride;
  pairs.GetDimensions(count, stride);
  uint first = group.x * TILE;
  tile[lane] = pairs[first + lane];
  tile[lane + TILE / 2] = pairs[first + lane + TILE / 2];
  GroupMemoryBarrierWithGroupSync();
  for (uint block = first_block; block != 0 && block <= last_block; block <<= 1) {
    for (uint distance = min(block, TILE) / 2; distance != 0; distance >>= 1) {
      uint low = 2 * lane - (lane & (distance - 1));
      uint high = low + distance;
      Pair a = tile[low], b = tile[high];
      bool ascending = ((first + low) & block) == 0;
      // If the buffer has fewer than 512 pairs, the last indices are out of bounds.
      if (first + high < count && after(a, b) == ascending) {
        tile[low] = b;
        tile[high] = a;
      }
      GroupMemoryBarrierWithGroupSync();
    }
  }
  pairs[first + lane] = tile[lane];
  pairs[first + lane + TILE / 2] = tile[lane + TILE / 2];
}
