// fxc -T cs_5_0 -E main
// Reads every format as float, writes one of uints.
Buffer<float4> source : register(t0);
RWBuffer<uint> target : register(u0);
RWStructuredBuffer<float4> seen : register(u1);
[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  seen[id.x] = source[id.x];
  target[id.x] = target[id.x] + 1;
}
