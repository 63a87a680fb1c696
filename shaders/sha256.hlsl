// SHA-256 (FIPS 180-4): one message of `length` bytes per thread. A message begins every
// 4 * words_per_message bytes; a digest has 32 bytes.
cbuffer Params : register(b0) { uint count; uint length; uint words_per_message; };
ByteAddressBuffer messages : register(t0);
RWByteAddressBuffer digests : register(u0);

static const uint round_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };

uint rotate(uint x, uint n) { return (x >> n) | (x << (32 - n)); }

uint big_endian(uint x) {
  return (x << 24) | ((x & 0xff00) << 8) | ((x >> 8) & 0xff00) | (x >> 24);
}

// Word `index` of the padded message: its bytes, then 0x80, zeros, and the length in bits.
uint padded_word(uint start, uint index, uint last) {
  if (index == last) return length << 3;
  if (index == last - 1) return length >> 29;
  uint at = index * 4;
  if (at > length) return 0;
  uint word = at < length ? big_endian(messages.Load(start + at)) : 0;
  uint bytes = min(length - at, 4);
  if (bytes == 4) return word;
  uint keep = bytes == 0 ? 0 : 0xffffffff << (32 - 8 * bytes);
  return (word & keep) | (0x80u << (24 - 8 * bytes));
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= count) return;
  uint start = id.x * words_per_message * 4;
  uint blocks = (length + 8) / 64 + 1;
  uint4 front = uint4(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a);
  uint4 back = uint4(0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
  [loop] for (uint block = 0; block < blocks; ++block) {
    uint w[16];
    [loop] for (uint i = 0; i < 16; ++i)
      w[i] = padded_word(start, block * 16 + i, blocks * 16 - 1);
    uint4 p = front, q = back;
    [loop] for (uint t = 0; t < 64; ++t) {
      uint s1 = rotate(q.x, 6) ^ rotate(q.x, 11) ^ rotate(q.x, 25);
      uint choice = (q.x & q.y) ^ (~q.x & q.z);
      uint t1 = q.w + s1 + choice + round_constants[t] + w[t & 15];
      uint s0 = rotate(p.x, 2) ^ rotate(p.x, 13) ^ rotate(p.x, 22);
      uint majority = (p.x & p.y) ^ (p.x & p.z) ^ (p.y & p.z);
      q = uint4(p.w + t1, q.xyz);
      p = uint4(t1 + s0 + majority, p.xyz);
      // The word for 16 rounds later replaces this one.
      uint w1 = w[(t + 1) & 15], w14 = w[(t + 14) & 15];
      w[t & 15] += (rotate(w1, 7) ^ rotate(w1, 18) ^ (w1 >> 3)) + w[(t + 9) & 15]
                 + (rotate(w14, 17) ^ rotate(w14, 19) ^ (w14 >> 10));
    }
    front += p;
    back += q;
  }
  digests.Store4(id.x * 32, uint4(big_endian(front.x), big_endian(front.y), big_endian(front.z), big_endian(front.w)));
  digests.Store4(id.x * 32 + 16, uint4(big_endian(back.x), big_endian(back.y), big_endian(back.z), big_endian(back.w)));
}
