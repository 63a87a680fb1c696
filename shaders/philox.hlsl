// Philox 4x64-10, a counter-based generator: random number n is a function of n and a key, so that
// each thread computes its own, in any order (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", 2011). Each thread computes four numbers of 64 bits, low dword first. They are those of
// numpy.random.Philox(key=key).
cbuffer Params : register(b0) { uint2 key0; uint2 key1; uint first_block; uint blocks; };
RWByteAddressBuffer numbers : register(u0);

// The 64 bits of a * b: HLSL has no function for the upper half.
uint2 multiply(uint a, uint b) {
  uint low = (a & 0xffff) * (b & 0xffff);
  uint middle = (a >> 16) * (b & 0xffff) + (low >> 16);
  uint other = (a & 0xffff) * (b >> 16) + (middle & 0xffff);
  return uint2(a * b, (a >> 16) * (b >> 16) + (middle >> 16) + (other >> 16));
}

uint2 add(uint2 a, uint2 b) {
  uint low = a.x + b.x;
  return uint2(low, a.y + b.y + (low < a.x));
}

// The 128 bits of a * b: the lower half in (xy), the upper half in (zw).
uint4 multiply(uint2 a, uint2 b) {
  uint2 low = multiply(a.x, b.x), high = multiply(a.y, b.y);
  uint2 middle = add(multiply(a.x, b.y), uint2(low.y, 0));  // cannot overflow
  uint2 other = add(multiply(a.y, b.x), uint2(middle.x, 0));
  return uint4(low.x, other.x, add(add(high, uint2(middle.y, 0)), uint2(other.y, 0)));
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= blocks) return;
  uint2 c0 = add(uint2(first_block, 0), uint2(id.x, 0)), c1 = 0, c2 = 0, c3 = 0;
  uint2 k0 = key0, k1 = key1;
  [loop] for (uint round = 0; round < 10; ++round) {
    uint4 p = multiply(uint2(0x95121157, 0xca5a8263), c2);
    uint4 q = multiply(uint2(0xe14c6c93, 0xd2e7470e), c0);
    c0 = p.zw ^ c1 ^ k0;
    c2 = q.zw ^ c3 ^ k1;
    c1 = p.xy;
    c3 = q.xy;
    k0 = add(k0, uint2(0x7f4a7c15, 0x9e3779b9));
    k1 = add(k1, uint2(0x84caa73b, 0xbb67ae85));
  }
  numbers.Store4(id.x * 32, uint4(c0, c1));
  numbers.Store4(id.x * 32 + 16, uint4(c2, c3));
}
