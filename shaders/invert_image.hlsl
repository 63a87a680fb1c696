// Inverts a picture in place. Shader Model 5 can load only 32-bit elements from UAVs, so the
// picture, with four bytes for each texel, is bound as R32_UINT.
RWTexture2D<uint> image : register(u0);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  image[id.xy] = image[id.xy] ^ 0x00ffffff;  // alpha, the highest byte, stays
}
