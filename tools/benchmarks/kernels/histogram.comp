#version 450
// How often each low byte occurs: counted by group-shared atomics, then added up.
layout(local_size_x = 256) in;
layout(binding = 32) readonly buffer Values { uint values[]; };
layout(binding = 160) buffer Bins { uint bins[]; };
layout(binding = 0) uniform Params { uint count; };

shared uint local_bins[256];

void main() {
  uint lane = gl_LocalInvocationIndex;
  local_bins[lane] = 0;
  barrier();
  for (uint i = 0; i < 16; ++i) {
    uint at = (gl_WorkGroupID.x * 16 + i) * 256 + lane;
    if (at < count) atomicAdd(local_bins[values[at] & 255], 1);
  }
  barrier();
  if (local_bins[lane] != 0) atomicAdd(bins[lane], local_bins[lane]);
}
