#version 450
// One sum for each 1024 values: four in each thread, then a tree in group-shared memory.
layout(local_size_x = 256) in;
layout(binding = 32) readonly buffer Values { float values[]; };
layout(binding = 160) buffer Sums { float sums[]; };

shared float partial[256];

void main() {
  uint lane = gl_LocalInvocationIndex;
  uint first = gl_WorkGroupID.x * 1024 + lane;
  float sum = values[first];
  for (uint i = 1; i < 4; ++i) sum += values[first + i * 256];
  partial[lane] = sum;
  barrier();
  for (uint step = 128; step > 0; step >>= 1) {
    if (lane < step) partial[lane] += partial[lane + step];
    barrier();
  }
  if (lane == 0) sums[gl_WorkGroupID.x] = partial[0];
}
