// Histogram of an image's luminance: RGB pixels in a typed buffer, 64 bins.
// Each group counts in group-shared memory and adds its bins to the result once.
cbuffer Params : register(b0) { uint width; uint height; };
struct Bin { uint count; uint brightest; };
Buffer<float4> pixels : register(t0);
RWStructuredBuffer<Bin> bins : register(u0);

groupshared uint counts[64];
groupshared uint brightest[64];

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
  if (lane < 64) {
    counts[lane] = 0;
    brightest[lane] = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  if (id.x < width && id.y < height) {
    // In integers, thousandths, so that no rounding of the weights can move a pixel to another bin.
    uint3 rgb = (uint3)(pixels[id.y * width + id.x].rgb * 255.0 + 0.5);
    uint luminance = rgb.r * 299 + rgb.g * 587 + rgb.b * 114;
    uint bin = luminance * 64 / 256000;
    InterlockedAdd(counts[bin], 1);
    InterlockedMax(brightest[bin], luminance);
  }
  GroupMemoryBarrierWithGroupSync();
  if (lane < 64 && counts[lane] != 0) {
    InterlockedAdd(bins[lane].count, counts[lane]);
    InterlockedMax(bins[lane].brightest, brightest[lane]);
  }
}
