// fxc -T cs_5_1 -E main
// The same register number in two spaces.
RWStructuredBuffer<uint> first : register(u2);
RWStructuredBuffer<uint> second : register(u2, space3);
[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) { second[id.x] = first[id.x] + 1; }
