// Every tiled-resource form: the value, and whether all texels were mapped.
Texture2D<float4> source : register(t0);
Texture2DMS<float4> samples : register(t1);
Texture2D<float> depth : register(t2);
Buffer<float4> texels : register(t3);
ByteAddressBuffer raw : register(t4);
StructuredBuffer<float4> cells : register(t5);
SamplerState state : register(s0);
SamplerComparisonState comparing : register(s1);
RWTexture2D<uint> target : register(u1);
struct Seen { float4 value; uint mapped; };
RWStructuredBuffer<Seen> seen : register(u0);
cbuffer Params : register(b0) { float2 uv; float lod; float reference; int2 at; int2 offset; };
void put(uint n, float4 value, uint status) {
  seen[n].value = value;
  seen[n].mapped = CheckAccessFullyMapped(status) ? 1 : 0;
}
[numthreads(1, 1, 1)]
void main() {
  uint s = 0;
  float4 v = source.Load(int3(at, 0), int2(0, 0), s); put(0, v, s);
  v = samples.Load(at, 1, int2(0, 0), s); put(1, v, s);
  v = source.SampleLevel(state, uv, lod, int2(0, 0), s); put(2, v, s);
  v = depth.SampleCmpLevelZero(comparing, uv, reference, int2(0, 0), s); put(3, v, s);
  v = source.GatherRed(state, uv, int2(0, 0), s); put(4, v, s);
  v = source.GatherRed(state, uv, offset, s); put(5, v, s);
  v = depth.GatherCmp(comparing, uv, reference, int2(0, 0), s); put(6, v, s);
  v = depth.GatherCmp(comparing, uv, reference, offset, s); put(7, v, s);
  v = texels.Load(at.x, s); put(8, v, s);
  v = asfloat(raw.Load4(16 * at.x, s)); put(9, v, s);
  v = cells.Load(at.x, s); put(10, v, s);
  uint t = target.Load(at, s); put(11, asfloat(t.xxxx), s);
}
