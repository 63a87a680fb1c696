// Maps a picture of high dynamic range to a display in three steps: the histogram of its luminances;
// a curve from each luminance to the share of pixels below it, mixed with a logarithmic curve; and
// the picture with this curve applied.
#define BINS 256

cbuffer Tone : register(b0) {
  float equalisation;  // 0: a logarithmic curve, 1: the same number of pixels for each grey
};
Texture2D<float4> scene : register(t0);
ByteAddressBuffer bin_counts : register(t1);
Texture1D<float> curve : register(t2);
SamplerState linear_clamp : register(s0);
RWByteAddressBuffer histogram : register(u0);
RWTexture1D<float> new_curve : register(u1);
RWTexture2D<unorm float4> picture : register(u2);

groupshared uint counts[BINS];

// The place of a colour's luminance between 2^-10 and 2^6, from 0 to below 1. It is linear in the
// float's bits, which approximate its logarithm: 16 bins to an octave.
float place(float3 colour) {
  precise float luminance = colour.r * 0.2126 + colour.g * 0.7152 + colour.b * 0.0722;
  int steps = asint(luminance) - asint(0.0009765625);
  return clamp(steps / 8388608.0, 0, 15.99999) / 16;
}

[numthreads(16, 16, 1)]
void count(uint3 pixel : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
  counts[thread] = 0;
  GroupMemoryBarrierWithGroupSync();
  uint2 size;
  scene.GetDimensions(size.x, size.y);
  if (all(pixel.xy < size)) InterlockedAdd(counts[uint(place(scene[pixel.xy].rgb) * BINS)], 1);
  GroupMemoryBarrierWithGroupSync();
  histogram.InterlockedAdd(thread * 4, counts[thread]);
}

// One group: the histogram's inclusive prefix sums, and the curve from them.
[numthreads(BINS, 1, 1)]
void make_curve(uint bin : SV_GroupIndex) {
  counts[bin] = bin_counts.Load(bin * 4);
  GroupMemoryBarrierWithGroupSync();
  for (uint distance = 1; distance < BINS; distance *= 2) {
    uint before = bin >= distance ? counts[bin - distance] : 0;
    GroupMemoryBarrierWithGroupSync();
    counts[bin] += before;
    GroupMemoryBarrierWithGroupSync();
  }
  float share = counts[bin] / (float)counts[BINS - 1];
  new_curve[bin] = lerp(bin / (BINS - 1.0), share, equalisation);
}

[numthreads(8, 8, 1)]
void apply(uint3 pixel : SV_DispatchThreadID) {
  float3 colour = scene[pixel.xy].rgb;
  float grey = curve.SampleLevel(linear_clamp, place(colour), 0);
  float brightest = max(max(colour.r, colour.g), max(colour.b, 0.0009765625));
  picture[pixel.xy] = float4(colour / brightest * grey, 1);
}
