#version 450
// The same algorithm and bindings as blur_halves.hlsl.
const uint radius = 6, tile_size = 64;
layout(local_size_x = tile_size) in;
layout(set = 0, binding = 0, std140) uniform Params {
    uvec2 size;
    uint columns;
    float weights[radius + 1];
};
layout(set = 0, binding = 32, std430) readonly buffer Image { uvec2 image[]; };
layout(set = 0, binding = 160, std430) buffer Blurred { uvec2 blurred[]; };

shared uvec2 tile[tile_size + 2 * radius];

vec4 unpack(uvec2 texel) { return vec4(unpackHalf2x16(texel.x), unpackHalf2x16(texel.y)); }

uint place(uint along, uint across) {
    return columns != 0 ? along * size.x + across : across * size.x + along;
}

void main() {
    uint lane = gl_LocalInvocationID.x, across = gl_WorkGroupID.y;
    uint length = columns != 0 ? size.y : size.x;
    int first = int(gl_WorkGroupID.x * tile_size) - int(radius);
    for (uint i = lane; i < tile_size + 2 * radius; i += tile_size)
        tile[i] = image[place(uint(clamp(first + int(i), 0, int(length) - 1)), across)];
    barrier();
    uint middle = lane + radius;
    vec4 sum = unpack(tile[middle]) * weights[0];
    for (uint j = 1; j <= radius; ++j)
        sum += (unpack(tile[middle - j]) + unpack(tile[middle + j])) * weights[j];
    uint along = gl_WorkGroupID.x * tile_size + lane;
    if (along < length)
        blurred[place(along, across)] = uvec2(packHalf2x16(sum.xy), packHalf2x16(sum.zw));
}
