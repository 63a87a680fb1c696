// fxc -T cs_5_0 -E main
// Keeps the even numbers.
StructuredBuffer<uint> numbers : register(t0);
AppendStructuredBuffer<uint> even : register(u0);
[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint n = numbers[id.x];
  if ((n & 1) == 0) even.Append(n);
}
