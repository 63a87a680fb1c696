// Inverts a picture in place. Shader Model 5 reads UAVs of 32-bit elements only, so the picture of
// four bytes a texel is bound as R32_UINT.
RWTexture2D<uint> image : register(u0);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  image[id.xy] = image[id.xy] ^ 0x00ffffff;  // alpha, the uppermost byte, stays
}
