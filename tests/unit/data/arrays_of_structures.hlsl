// fxc /T cs_5_1: RDEF names the elements `grid[0][0]` and `pair[0]`, the resources `grid` and `pair`.
struct Both { float a; uint b; };
StructuredBuffer<int> grid[2][3] : register(t0);
StructuredBuffer<Both> pair[2] : register(t8);
RWStructuredBuffer<Both> written : register(u0);

[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  Both found = pair[id.x & 1][id.x];
  found.a += grid[id.x & 1][1][id.x];
  written[id.x] = found;
}
