// Group-shared memory, barriers, atomics, a switch, an image and a typed buffer.
cbuffer Settings : register(b1)
{
    uint width;
    float2 scale;
    uint mode;
};
Texture2D<float4> picture : register(t0);
Buffer<uint> palette : register(t3);
RWByteAddressBuffer totals : register(u0);
RWTexture2D<float4> output : register(u2);

groupshared uint counts[16];

uint shade(float4 texel)
{
    float grey = dot(texel.rgb, float3(0.25, 0.5, 0.25));
    return (uint)(grey * scale.x) & 15;
}

[numthreads(8, 8, 1)]
void Reduce(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    if (lane < 16)
        counts[lane] = 0;
    GroupMemoryBarrierWithGroupSync();
    float4 texel = picture.Load(int3(id.xy, 0));
    uint level = shade(texel);
    InterlockedAdd(counts[level], 1);
    GroupMemoryBarrierWithGroupSync();
    switch (mode)
    {
    case 1:
        texel = texel.bgra;
        break;
    case 2:
        texel *= scale.y;
        break;
    default:
        texel.a = palette[level] / 255.0;
        break;
    }
    output[id.xy] = texel;
    if (lane < 16)
        totals.InterlockedAdd(4 * lane, counts[lane]);
}
