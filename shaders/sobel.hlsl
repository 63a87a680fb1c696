// Edges of a picture: the length of the luminance's gradient, by Sobel's 3x3 filters. Each group
// keeps the luminances of its 16x16 texels and their neighbours in group-shared memory.
#define TILE 16
Texture2D<float4> image : register(t0);
SamplerState edges : register(s0);
RWTexture2D<float> gradient : register(u0);

groupshared float luminance[TILE + 2][TILE + 2];

[numthreads(TILE, TILE, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
  float2 size;
  image.GetDimensions(size.x, size.y);
  for (uint i = lane; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
    uint2 at = uint2(i % (TILE + 2), i / (TILE + 2));
    float2 texel = (float2)(group.xy * TILE + at) - 0.5;
    float3 rgb = image.SampleLevel(edges, texel / size, 0).rgb;
    luminance[at.y][at.x] = dot(rgb, float3(0.299, 0.587, 0.114));
  }
  GroupMemoryBarrierWithGroupSync();
  uint2 at = uint2(lane % TILE, lane / TILE);
  float3 rows[3];
  [unroll] for (uint y = 0; y < 3; ++y)
    rows[y] = float3(luminance[at.y + y][at.x], luminance[at.y + y][at.x + 1], luminance[at.y + y][at.x + 2]);
  float3 columns = rows[0] + 2 * rows[1] + rows[2];
  float3 lines = rows[2] - rows[0];
  gradient[id.xy] = length(float2(columns.z - columns.x, lines.x + 2 * lines.y + lines.z));
}
