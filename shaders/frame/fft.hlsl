// The Fourier transform of a 256 x 256 picture of complex numbers: one dispatch for the rows, one
// for the columns. A group transforms a line in group-shared memory (Stockham's algorithm, radix 4).
#define LENGTH 256
#define THREADS (LENGTH / 4)

cbuffer Transform : register(b0) {
  uint along_columns;
  uint backwards;
  float scale;
};
Texture2D<float2> source : register(t0);
// exp(-2 pi i k / LENGTH) for each k: the device's own sine may have only ten correct bits
StructuredBuffer<float2> twiddles : register(t1);
RWTexture2D<float2> target : register(u0);

groupshared float2 line_of[LENGTH];

float2 times(float2 a, float2 b) { return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

float2 conjugate_if(bool is_so, float2 a) { return float2(a.x, is_so ? -a.y : a.y); }

[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint i;
  float2 values[4];
  [unroll] for (i = 0; i < 4; i++) {
    uint at = thread + i * THREADS;
    values[i] = source[along_columns ? uint2(group.x, at) : uint2(at, group.x)];
  }
  for (uint span = 1; span < LENGTH; span *= 4) {
    uint within = thread % span;
    [unroll] for (i = 1; i < 4; i++) {
      float2 twiddle = twiddles[within * i * (LENGTH / 4 / span)];
      values[i] = times(values[i], conjugate_if(backwards, twiddle));
    }
    float2 a = values[0] + values[2], b = values[0] - values[2];
    float2 c = values[1] + values[3], d = values[1] - values[3];
    d = backwards ? float2(-d.y, d.x) : float2(d.y, -d.x);
    GroupMemoryBarrierWithGroupSync();
    uint at = (thread - within) * 4 + within;
    line_of[at] = a + c;
    line_of[at + span] = b + d;
    line_of[at + 2 * span] = a - c;
    line_of[at + 3 * span] = b - d;
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (i = 0; i < 4; i++) values[i] = line_of[thread + i * THREADS];
  }
  [unroll] for (i = 0; i < 4; i++) {
    uint at = thread + i * THREADS;
    target[along_columns ? uint2(group.x, at) : uint2(at, group.x)] = values[i] * scale;
  }
}
