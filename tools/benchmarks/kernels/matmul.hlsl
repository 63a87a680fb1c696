// The product of two square matrices of `size` rows, a multiple of 16, in tiles of 16 by 16.
#define TILE 16
StructuredBuffer<float> a : register(t0);
StructuredBuffer<float> b : register(t1);
RWStructuredBuffer<float> product : register(u0);
cbuffer Params : register(b0) { uint size; };

groupshared float tile_a[TILE][TILE];
groupshared float tile_b[TILE][TILE];

[numthreads(TILE, TILE, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 lane : SV_GroupThreadID) {
  float sum = 0;
  for (uint first = 0; first < size; first += TILE) {
    tile_a[lane.y][lane.x] = a[id.y * size + first + lane.x];
    tile_b[lane.y][lane.x] = b[(first + lane.y) * size + id.x];
    GroupMemoryBarrierWithGroupSync();
    for (uint k = 0; k < TILE; ++k) sum += tile_a[lane.y][k] * tile_b[k][lane.x];
    GroupMemoryBarrierWithGroupSync();
  }
  product[id.y * size + id.x] = sum;
}
