// One direction of a separable blur of texels of four halves, two to a dword, as a renderer keeps
// pictures of high range in buffers: along a row, or along a column. A group reads its 64 texels and
// those around them once, into group-shared memory, where they stay packed. Beyond an edge the last
// texel goes on.
#define RADIUS 6
#define TILE 64
cbuffer Params : register(b0) {
  uint2 size;                 // of the picture, in texels
  uint columns;               // not 0: along a column
  float weights[RADIUS + 1];  // of the middle, and of those 1, 2, ... away
};
StructuredBuffer<uint2> image : register(t0);  // row by row
RWStructuredBuffer<uint2> blurred : register(u0);

groupshared uint2 tile[TILE + 2 * RADIUS];

float4 unpack(uint2 texel) { return f16tof32(uint4(texel, texel >> 16)).xzyw; }

uint2 pack(float4 color) { return f32tof16(color.xz) | f32tof16(color.yw) << 16; }

// The place of a texel in the buffers: `along` counts in the direction of the blur.
uint place(uint along, uint across) {
  return columns ? along * size.x + across : across * size.x + along;
}

[numthreads(TILE, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 lane : SV_GroupThreadID) {
  uint length = columns ? size.y : size.x;
  int first = group.x * TILE - RADIUS;
  for (uint i = lane.x; i < TILE + 2 * RADIUS; i += TILE)
    tile[i] = image[place(clamp(first + (int)i, 0, (int)length - 1), group.y)];
  GroupMemoryBarrierWithGroupSync();
  uint middle = lane.x + RADIUS;
  float4 sum = unpack(tile[middle]) * weights[0];
  [unroll] for (uint j = 1; j <= RADIUS; ++j)
    sum += (unpack(tile[middle - j]) + unpack(tile[middle + j])) * weights[j];
  uint along = group.x * TILE + lane.x;
  if (along < length) blurred[place(along, group.y)] = pack(sum);
}
