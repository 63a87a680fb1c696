// Accelerations of bodies (x, y, z, mass) by each other's gravity, in tiles of 128.
#define TILE 128
StructuredBuffer<float4> bodies : register(t0);
RWStructuredBuffer<float4> accelerations : register(u0);
cbuffer Params : register(b0) { uint count; float softening; };

groupshared float4 tile[TILE];

[numthreads(TILE, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
  float3 here = bodies[id.x].xyz, sum = 0;
  for (uint first = 0; first < count; first += TILE) {
    tile[lane] = bodies[first + lane];
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 0; i < TILE; ++i) {
      float4 other = tile[i];
      float3 way = other.xyz - here;
      float inverse = rsqrt(dot(way, way) + softening);
      sum += way * (other.w * inverse * inverse * inverse);
    }
    GroupMemoryBarrierWithGroupSync();
  }
  accelerations[id.x] = float4(sum, 0);
}
