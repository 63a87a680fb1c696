// fxc -T cs_5_0 -E main
// Copies a constant buffer as it lies in memory.
struct Light { float3 colour; int kind; };
cbuffer Scene : register(b0) {
  float scale;             // byte 0
  float3 offset;           // 4
  int2 corner;             // 16
  float weights[3];        // 32, 48, 64: an element starts on 16 bytes
  Light lights[2];         // 80, 96
  float4x4 transform;      // 112
  row_major float2x3 uv;   // 176, 192: rows start on 16 bytes
};
RWStructuredBuffer<uint4> words : register(u0);
[numthreads(1, 1, 1)]
void main() {
  words[0] = uint4(asuint(scale), asuint(offset));
  words[1] = uint4(corner, 0, 0);
  [unroll] for (uint i = 0; i < 3; i++) words[2 + i] = uint4(asuint(weights[i]), 0, 0, 0);
  [unroll] for (uint j = 0; j < 2; j++) words[5 + j] = uint4(asuint(lights[j].colour), lights[j].kind);
  words[7] = asuint(transform._m00_m10_m20_m30);   // columns lie together
  words[8] = asuint(transform._m01_m11_m21_m31);
  words[9] = asuint(transform._m02_m12_m22_m32);
  words[10] = asuint(transform._m03_m13_m23_m33);
  words[11] = uint4(asuint(uv[0]), 0);
  words[12] = uint4(asuint(uv[1]), 0);
}
