#version 450
// Accelerations of bodies (x, y, z, mass) by each other's gravity, in tiles of 128.
#define TILE 128
layout(local_size_x = TILE) in;
layout(binding = 32) readonly buffer Bodies { vec4 bodies[]; };
layout(binding = 160) buffer Accelerations { vec4 accelerations[]; };
layout(binding = 0) uniform Params { uint count; float softening; };

shared vec4 tile[TILE];

void main() {
  uint id = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex;
  vec3 here = bodies[id].xyz, sum = vec3(0);
  for (uint first = 0; first < count; first += TILE) {
    tile[lane] = bodies[first + lane];
    barrier();
    for (uint i = 0; i < TILE; ++i) {
      vec4 other = tile[i];
      vec3 way = other.xyz - here;
      float inverse = inversesqrt(dot(way, way) + softening);
      sum += way * (other.w * inverse * inverse * inverse);
    }
    barrier();
  }
  accelerations[id] = vec4(sum, 0);
}
