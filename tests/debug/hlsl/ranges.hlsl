// Arrays of resources (cs_5_1), and constants in structures and matrices.
struct Light
{
    float3 colour;
    float power;
};
cbuffer Scene : register(b0, space1)
{
    row_major float4x4 world;
    Light lights[3];
    uint chosen;
};
StructuredBuffer<float3> points[4] : register(t2);
RWStructuredBuffer<float3> shaded : register(u1, space2);

[numthreads(16, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float3 here = points[chosen & 3][id.x];
    here = mul(world, float4(here, 1)).xyz;
    here *= lights[1].colour;
    here += lights[2].power;
    shaded[id.x] = here;
}
