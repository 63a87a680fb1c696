// One sum for each 1024 values: four in each thread, then a tree in group-shared memory.
StructuredBuffer<float> values : register(t0);
RWStructuredBuffer<float> sums : register(u0);

groupshared float partial[256];

[numthreads(256, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
  uint first = group.x * 1024 + lane;
  float sum = values[first];
  [unroll] for (uint i = 1; i < 4; ++i) sum += values[first + i * 256];
  partial[lane] = sum;
  GroupMemoryBarrierWithGroupSync();
  for (uint step = 128; step > 0; step >>= 1) {
    if (lane < step) partial[lane] += partial[lane + step];
    GroupMemoryBarrierWithGroupSync();
  }
  if (lane == 0) sums[group.x] = partial[0];
}
