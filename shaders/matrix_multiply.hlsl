// C = A * B, row by row in structured buffers: A is rows x inner, B inner x columns. A group
// computes a 16x16 tile of C from tiles of A and B, each read once into group-shared memory.
#define TILE 16
cbuffer Params : register(b0) { uint rows; uint columns; uint inner; };
StructuredBuffer<float> a : register(t0);
StructuredBuffer<float> b : register(t1);
RWStructuredBuffer<float> c : register(u0);

groupshared float tile_a[TILE][TILE];
groupshared float tile_b[TILE][TILE];

[numthreads(TILE, TILE, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 lane : SV_GroupThreadID) {
  float sum = 0;
  for (uint first = 0; first < inner; first += TILE) {
    uint k_a = first + lane.x, k_b = first + lane.y;
    tile_a[lane.y][lane.x] = id.y < rows && k_a < inner ? a[id.y * inner + k_a] : 0;
    tile_b[lane.y][lane.x] = k_b < inner && id.x < columns ? b[k_b * columns + id.x] : 0;
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint k = 0; k < TILE; ++k)
      sum += tile_a[lane.y][k] * tile_b[k][lane.x];
    GroupMemoryBarrierWithGroupSync();
  }
  if (id.y < rows && id.x < columns) c[id.y * columns + id.x] = sum;
}
