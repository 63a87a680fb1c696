// Minimum precision: 16 bits are a permission, everything runs at 32.
struct Row { float4 f; int4 i; uint4 u; uint4 compared; };
StructuredBuffer<float4> floats : register(t0);
StructuredBuffer<int4> integers : register(t1);
RWStructuredBuffer<Row> rows : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    min16float4 f = (min16float4)floats[id.x];
    min16int4 i = (min16int4)integers[id.x];
    min16uint4 u = (min16uint4)(uint4)integers[id.x].wzyx;
    Row row;
    row.f = f * f + (min16float)0.5;
    row.i = (i << 1) - i.yxwz * (min16int)3;
    row.u = (u & (min16uint)15) + u / (min16uint)3 + u * u;
    row.compared = (f > f.yxwz) ? 1u : 0u;
    rows[id.x] = row;
}
