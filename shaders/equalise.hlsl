// Gives each texel of a grey picture the share of texels that are no brighter, in 255ths: the
// histogram of what comes out is as even as can be. `sums` is the histogram's inclusive prefix sum;
// of up to 16 million texels, for the products to have room.
cbuffer Params : register(b0) { uint darkest; };  // how many texels have the darkest level there is
Texture2D<uint> image : register(t0);
StructuredBuffer<uint> sums : register(t1);
RWTexture2D<uint> equalised : register(u0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint total = sums[255] - darkest;
  uint below = sums[image[id.xy]] - darkest;
  // To the nearest; a picture of one level is left as it is.
  equalised[id.xy] = total != 0 ? (below * 255 + total / 2) / total : image[id.xy];
}
