// Replaces each texel of a grey picture by the share of texels that are no brighter, times 255: the
// result's histogram is as even as possible. `sums` is the histogram's inclusive prefix sum; the
// picture may have 16 million texels, or products would overflow.
cbuffer Params : register(b0) { uint darkest; };  // the number of texels with the lowest level
Texture2D<uint> image : register(t0);
StructuredBuffer<uint> sums : register(t1);
RWTexture2D<uint> equalised : register(u0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint total = sums[255] - darkest;
  uint below = sums[image[id.xy]] - darkest;
  // Round to the nearest; a picture of only one level stays unchanged.
  equalised[id.xy] = total != 0 ? (below * 255 + total / 2) / total : image[id.xy];
}
