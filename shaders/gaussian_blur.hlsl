// One direction of a separable Gaussian blur: along a row, or along a column (`direction` is (1, 0)
// or (0, 1)). A group reads its 128 texels and their neighbours once, into group-shared memory.
// The sampler determines the colours beyond the picture's edges.
#define RADIUS 15
#define TILE 128
cbuffer Params : register(b0) {
  int2 direction;
  uint radius;             // at most RADIUS
  float weights[RADIUS + 1];  // of the texel itself, and of those 1, 2, ... texels away
};
Texture2D<float4> image : register(t0);
SamplerState edges : register(s0);
RWTexture2D<float4> blurred : register(u0);

groupshared float4 tile[TILE + 2 * RADIUS];

[numthreads(TILE, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 lane : SV_GroupThreadID) {
  uint2 size;
  image.GetDimensions(size.x, size.y);
  int2 across = direction.yx * group.y;
  int first = group.x * TILE - radius;
  for (uint i = lane.x; i < TILE + 2 * radius; i += TILE) {
    float2 texel = across + direction * (first + (int)i) + 0.5;
    tile[i] = image.SampleLevel(edges, texel / (float2)size, 0);
  }
  GroupMemoryBarrierWithGroupSync();
  uint middle = lane.x + radius;
  float4 sum = tile[middle] * weights[0];
  for (uint j = 1; j <= radius; ++j)
    sum += (tile[middle - j] + tile[middle + j]) * weights[j];
  // Threads beyond the picture's end store outside of the texture: D3D drops these stores.
  blurred[across + direction * int(group.x * TILE + lane.x)] = sum;
}
