// Variables of all kinds in texture buffers. fxc /T cs_5_1 /O3
struct Step { int count; float3 way; uint marks[2]; row_major float2x3 turn; };
tbuffer Table : register(t0) { float4 values[2]; int shift; uint bits; float last; }
TextureBuffer<Step> steps[2] : register(t4, space1);
RWStructuredBuffer<float4> o : register(u0);
[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    o[i] = values[i & 1] + float4(shift, asfloat(bits), last, 0);
    uint n = NonUniformResourceIndex(i & 1);
    o[4 + i] = float4(steps[n].count, steps[n].way.z, steps[n].marks[i >> 1], steps[n].turn._m12);
}
