// Lists the point lights that reach each tile of 16 x 16 pixels, considering the tile's depths.
// Threads set a bit for each light in group-shared memory, and the bits become a list: so the list
// has the order of the lights, and does not depend on the order of the threads.
#define TILE 16
#define THREADS (TILE * TILE)
#define MAX_LIGHTS 256
#define MAX_PER_TILE 32

cbuffer Camera : register(b0) {
  float4x4 world_to_view;
  float2 tangents;  // the tangents of half the angles of view
  float near, far;
  uint light_count;
};
struct Light { float3 position; float radius; };
Texture2D<float> depth_buffer : register(t0);  // 0 at the near plane, 1 at the far plane
StructuredBuffer<Light> lights : register(t1);
RWTexture2D<uint> tile_counts : register(u0);  // a texel for each tile
RWBuffer<uint> tile_lights : register(u1);  // MAX_PER_TILE for each tile

groupshared uint nearest, farthest;  // bits of floats: without a sign they compare like integers
groupshared uint reaching[MAX_LIGHTS / 32];

float view_depth(float depth) { return near * far / (far - depth * (far - near)); }

// Whether the sphere is entirely outside of a plane through the eye, along * slope = z.
bool is_outside(float along, float z, float slope, float radius) {
  return along - z * slope > radius * sqrt(1 + slope * slope);
}

bool reaches(Light light, uint2 tile, float2 pixels) {
  float3 centre = mul(world_to_view, float4(light.position, 1)).xyz;
  if (centre.z + light.radius < view_depth(asfloat(nearest))) return false;
  if (centre.z - light.radius > view_depth(asfloat(farthest))) return false;
  float2 low = (tile * TILE * 2 / pixels - 1) * tangents;
  float2 high = ((tile + 1) * TILE * 2 / pixels - 1) * tangents;
  centre.y = -centre.y;  // rows go down
  return !is_outside(centre.x, centre.z, high.x, light.radius) &&
         !is_outside(-centre.x, centre.z, -low.x, light.radius) &&
         !is_outside(centre.y, centre.z, high.y, light.radius) &&
         !is_outside(-centre.y, centre.z, -low.y, light.radius);
}

[numthreads(TILE, TILE, 1)]
void main(uint3 tile : SV_GroupID, uint3 pixel : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  if (thread == 0) {
    nearest = asuint(1.0);
    farthest = 0;
  }
  if (thread < MAX_LIGHTS / 32) reaching[thread] = 0;
  GroupMemoryBarrierWithGroupSync();

  uint2 size;
  depth_buffer.GetDimensions(size.x, size.y);
  if (all(pixel.xy < size)) {
    uint depth = asuint(depth_buffer[pixel.xy]);
    InterlockedMin(nearest, depth);
    InterlockedMax(farthest, depth);
  }
  GroupMemoryBarrierWithGroupSync();

  uint word = thread / 32, bit = 1u << (thread % 32);
  if (thread < light_count && reaches(lights[thread], tile.xy, size))
    InterlockedOr(reaching[word], bit);
  GroupMemoryBarrierWithGroupSync();

  uint before = countbits(reaching[word] & (bit - 1));
  for (uint i = 0; i < word; i++) before += countbits(reaching[i]);
  bool is_listed = (reaching[word] & bit) && before < MAX_PER_TILE;
  uint tiles_in_row = (size.x + TILE - 1) / TILE;
  if (is_listed)
    tile_lights[(tile.y * tiles_in_row + tile.x) * MAX_PER_TILE + before] = thread;
  if (thread == THREADS - 1)
    tile_counts[tile.xy] = min(before + (reaching[word] & bit ? 1 : 0), MAX_PER_TILE);
}
