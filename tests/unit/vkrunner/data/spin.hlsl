// fxc -T cs_5_0 -E main
// Takes as long as it is told to.
cbuffer Params : register(b0) { uint rounds; };
RWStructuredBuffer<uint> state : register(u0);
[numthreads(1, 1, 1)]
void main() {
  uint n = state[0];
  [loop] for (uint i = 0; i < rounds; i++) n = n * 1664525 + 1013904223;
  state[0] = n;
}
