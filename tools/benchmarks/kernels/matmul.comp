#version 450
// The product of two square matrices of `size` rows, a multiple of 16, in tiles of 16 by 16.
#define TILE 16
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(binding = 32) readonly buffer A { float a[]; };
layout(binding = 33) readonly buffer B { float b[]; };
layout(binding = 160) buffer Product { float product[]; };
layout(binding = 0) uniform Params { uint size; };

shared float tile_a[TILE][TILE];
shared float tile_b[TILE][TILE];

void main() {
  uvec3 id = gl_GlobalInvocationID, lane = gl_LocalInvocationID;
  float sum = 0;
  for (uint first = 0; first < size; first += TILE) {
    tile_a[lane.y][lane.x] = a[id.y * size + first + lane.x];
    tile_b[lane.y][lane.x] = b[(first + lane.y) * size + id.x];
    barrier();
    for (uint k = 0; k < TILE; ++k) sum += tile_a[lane.y][k] * tile_b[k][lane.x];
    barrier();
  }
  product[id.y * size + id.x] = sum;
}
