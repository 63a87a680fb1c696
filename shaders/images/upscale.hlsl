// Enlarges a picture with a separable filter of 6x6 texels; the host computes the weights for each
// column and each row. With `keep_range` a pixel is no darker and no brighter than the four texels
// around it, so that a sharpening filter leaves no halos beside edges.
struct Taps {
  int first;         // the texel of the first weight
  float weights[6];  // their sum is 1
};
cbuffer Params : register(b0) { uint keep_range; };
Texture2D<float4> image : register(t0);
StructuredBuffer<Taps> columns : register(t1);
StructuredBuffer<Taps> rows : register(t2);
RWTexture2D<float4> enlarged : register(u0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int2 size;
  image.GetDimensions(size.x, size.y);
  Taps across = columns[id.x];
  Taps down = rows[id.y];
  float4 sum = 0, low = 1e9, high = -1e9;
  [unroll] for (int j = 0; j < 6; ++j) {
    float4 row = 0;
    int y = clamp(down.first + j, 0, size.y - 1);
    [unroll] for (int i = 0; i < 6; ++i) {
      float4 texel = image[int2(clamp(across.first + i, 0, size.x - 1), y)];
      row += across.weights[i] * texel;
      if (i / 2 == 1 && j / 2 == 1) {
        low = min(low, texel);
        high = max(high, texel);
      }
    }
    sum += down.weights[j] * row;
  }
  enlarged[id.xy] = keep_range ? clamp(sum, low, high) : sum;
}
