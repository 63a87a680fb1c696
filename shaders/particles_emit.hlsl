// Appends new particles at random places. Random numbers depend only on the particle's number, so
// that every run has the same particles, in any order of threads. It also counts the particles for
// the next step: a shader cannot read a hidden counter without changing it.
cbuffer Params : register(b0) { uint first_id; uint count; float2 size; };
struct Particle { float2 position; uint id; uint age; };
AppendStructuredBuffer<Particle> particles : register(u0);
RWByteAddressBuffer population : register(u1);  // counts: living, and survivors of the last step
RWByteAddressBuffer step_groups : register(u2);  // thread groups, for an indirect dispatch

// The output function of a PCG generator, as a hash (Jarzynski and Olano, JCGT 9 (3), 2020).
uint pcg(uint x) {
  uint state = x * 747796405 + 2891336453;
  uint word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737;
  return (word >> 22) ^ word;
}

// 24 bits as a number from 0 to below 1, exactly.
float uniform_float(uint bits) { return (bits >> 8) * (1.0 / 16777216); }

[numthreads(64, 1, 1)]
void main(uint3 thread : SV_DispatchThreadID) {
  if (thread.x == 0) {
    uint living = population.Load(4) + count;
    population.Store2(0, uint2(living, 0));
    step_groups.Store3(0, uint3((living + 63) / 64, 1, 1));
  }
  if (thread.x >= count) return;
  Particle born;
  born.id = first_id + thread.x;
  born.age = 0;
  uint x = pcg(born.id);
  born.position = float2(uniform_float(x), uniform_float(pcg(x))) * size;
  particles.Append(born);
}
