// fxc -T cs_5_0 -E main
RWStructuredBuffer<double> values : register(u0);
[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) { values[id.x] = values[id.x] + values[id.x]; }
