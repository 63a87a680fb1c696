// Particles in an append and a consume buffer. After `emit` or `update` the host copies the hidden
// counter (CopyStructureCount) to `alive`; `size_dispatch` computes the next update's groups.
#define GROUP 64

cbuffer Step : register(b0) {
  uint first_id, emitted;
  float seconds;
  float lifetime;  // in seconds
  float3 gravity;
  float bounce;  // the share of the speed that is left after a bounce
};
struct Particle { float3 position; float age; float3 velocity; uint id; };
ByteAddressBuffer alive : register(t0);
AppendStructuredBuffer<Particle> living : register(u0);
ConsumeStructuredBuffer<Particle> before : register(u1);
RWBuffer<uint> arguments : register(u2);  // thread groups of the indirect dispatch

// The output function of a PCG generator, as a hash (Jarzynski and Olano, JCGT 9 (3), 2020).
uint pcg(uint x) {
  uint state = x * 747796405 + 2891336453;
  uint word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737;
  return (word >> 22) ^ word;
}

// From -1 to below 1, exactly.
float spread(inout uint random) {
  random = pcg(random);
  return (int)(random >> 8) * (1.0 / 8388608) - 1;
}

[numthreads(GROUP, 1, 1)]
void emit(uint3 thread : SV_DispatchThreadID) {
  if (thread.x >= emitted) return;
  Particle born;
  born.id = first_id + thread.x;
  uint random = born.id;
  born.position = float3(spread(random), 1, spread(random));
  born.velocity = float3(spread(random), 2 + spread(random), spread(random));
  born.age = 0;
  living.Append(born);
}

[numthreads(1, 1, 1)]
void size_dispatch() {
  arguments[0] = (alive.Load(0) + GROUP - 1) / GROUP;
  arguments[1] = 1;
  arguments[2] = 1;
}

[numthreads(GROUP, 1, 1)]
void update(uint3 thread : SV_DispatchThreadID) {
  if (thread.x >= alive.Load(0)) return;
  Particle particle = before.Consume();
  precise float3 velocity = particle.velocity + gravity * seconds;
  precise float3 position = particle.position + velocity * seconds;
  precise float age = particle.age + seconds;
  if (age > lifetime) return;
  if (position.y < 0) {
    position.y = -position.y * bounce;
    velocity.y = -velocity.y * bounce;
  }
  particle.velocity = velocity;
  particle.position = position;
  particle.age = age;
  living.Append(particle);
}
