// One step of particles that move in a field of velocities: each is consumed from one buffer and
// appended to the other, unless it is too old or leaves the picture. Each leaves a trace.
cbuffer Params : register(b0) { float2 texels_per_pixel; uint lifetime; };
struct Particle { float2 position; uint id; uint age; };
Texture2D<float2> field : register(t0);  // pixels per step
ConsumeStructuredBuffer<Particle> before : register(u0);
AppendStructuredBuffer<Particle> after : register(u1);
RWTexture2D<uint> traces : register(u2);
RWByteAddressBuffer population : register(u3);  // counts: living, and survivors of this step

// The field between four texels, without a sampler: its weights of 8 bits are too coarse here.
float2 velocity(float2 position) {
  precise float2 at = position * texels_per_pixel;
  precise float2 weight = at - floor(at);
  int3 texel = int3(at, 0);
  float2 a = field.Load(texel), b = field.Load(texel, int2(1, 0));
  float2 c = field.Load(texel, int2(0, 1)), d = field.Load(texel, int2(1, 1));
  precise float2 top = a + (b - a) * weight.x;
  precise float2 bottom = c + (d - c) * weight.x;
  precise float2 mixed = top + (bottom - top) * weight.y;
  return mixed;
}

[numthreads(64, 1, 1)]
void main(uint3 thread : SV_DispatchThreadID) {
  if (thread.x >= population.Load(0)) return;
  Particle particle = before.Consume();
  precise float2 moved = particle.position + velocity(particle.position);
  particle.position = moved;
  particle.age += 1;
  uint2 size;
  traces.GetDimensions(size.x, size.y);
  if (particle.age > lifetime || any(moved < 0) || any(moved >= (float2)size)) return;
  InterlockedAdd(traces[(uint2)moved], 1);
  population.InterlockedAdd(4, 1);
  after.Append(particle);
}
