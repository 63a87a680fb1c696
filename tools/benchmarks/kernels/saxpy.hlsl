// y = a * x + y
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);
cbuffer Params : register(b0) { float a; uint count; };

[numthreads(512, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x < count) y[id.x] = a * x[id.x] + y[id.x];
}
