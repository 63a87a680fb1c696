// Gradients with a level of detail below which nothing is sampled.
Texture2D<float4> source : register(t0);
SamplerState state : register(s0);
RWStructuredBuffer<float4> seen : register(u0);
cbuffer Params : register(b0) { float2 uv; float clamp; };
[numthreads(1, 1, 1)]
void main() {
  uint status;
  seen[0] = source.SampleGrad(state, uv, float2(0, 0), float2(0, 0), int2(0, 0), clamp, status);
  seen[1] = CheckAccessFullyMapped(status) ? 1 : 0;
}
