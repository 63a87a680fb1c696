// SHA-256 (FIPS 180-4) of messages that are padded already: 16 words a block, `blocks` a message.
StructuredBuffer<uint> messages : register(t0);
RWStructuredBuffer<uint> digests : register(u0);
cbuffer Params : register(b0) { uint count; uint blocks; };

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

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= count) return;
  uint state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
  [loop] for (uint block = 0; block < blocks; ++block) {
    uint w[16];
    uint start = (id.x * blocks + block) * 16;
    [loop] for (uint i = 0; i < 16; ++i) w[i] = messages[start + i];
    uint a = state[0], b = state[1], c = state[2], d = state[3];
    uint e = state[4], f = state[5], g = state[6], h = state[7];
    [loop] for (uint t = 0; t < 64; ++t) {
      uint s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      uint t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[t] + w[t & 15];
      uint s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      uint t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g; g = f; f = e; e = d + t1;
      d = c; c = b; b = a; a = t1 + t2;
      // The word 16 rounds ahead takes this one's place.
      uint w1 = w[(t + 1) & 15], w14 = w[(t + 14) & 15];
      w[t & 15] += (rotate(w1, 7) ^ rotate(w1, 18) ^ (w1 >> 3)) + w[(t + 9) & 15]
                 + (rotate(w14, 17) ^ rotate(w14, 19) ^ (w14 >> 10));
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d;
    state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }
  [unroll] for (uint k = 0; k < 8; ++k) digests[id.x * 8 + k] = state[k];
}
