#version 450
// y = a * x + y
layout(local_size_x = 512) in;
layout(binding = 32) readonly buffer X { float x[]; };
layout(binding = 160) buffer Y { float y[]; };
layout(binding = 0) uniform Params { float a; uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) y[i] = a * x[i] + y[i];
}
