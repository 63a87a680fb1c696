// y = a * x + y, one element per thread.
cbuffer Params : register(b0) { float a; uint count; };
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x < count) y[id.x] = a * x[id.x] + y[id.x];
}
