// Size, number and positions of a texel's samples.
Texture2DMS<float4> flat : register(t0);
Texture2DMSArray<float4> layers : register(t1);
RWStructuredBuffer<uint4> sizes : register(u0);
RWStructuredBuffer<float2> positions : register(u1);
[numthreads(1, 1, 1)]
void main() {
  uint4 a = 0, b = 0;
  flat.GetDimensions(a.x, a.y, a.w);
  layers.GetDimensions(b.x, b.y, b.z, b.w);
  sizes[0] = a;
  sizes[1] = b;
  [loop] for (int i = 0; i < 18; ++i) {
    positions[i] = flat.GetSamplePosition(i);
    positions[18 + i] = layers.GetSamplePosition(i);
  }
}
