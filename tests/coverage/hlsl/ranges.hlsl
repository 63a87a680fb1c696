// Shader Model 5.1: spaces, arrays of resources and of constant buffers; with NON_UNIFORM indices
// that differ between threads.
#ifdef NON_UNIFORM
#define INDEX(i) NonUniformResourceIndex(i)
#else
#define INDEX(i) (scales[0].offset & 3)
#endif
struct Scale { uint factor; uint offset; };
StructuredBuffer<uint> inputs[4] : register(t2, space3);
StructuredBuffer<uint> lone : register(t0, space1);
ConstantBuffer<Scale> scales[2] : register(b3, space2);
RWStructuredBuffer<uint> outputs[2] : register(u1, space1);
RWByteAddressBuffer bytes : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint x = lone[id.x];
    uint y = inputs[INDEX(x & 3)][id.x];
    uint z = inputs[2][id.x] * scales[1].factor + scales[0].offset;
    outputs[INDEX(x >> 2 & 1) & 1][id.x] = x + y + z;
    bytes.Store(4 * id.x, z);
}
