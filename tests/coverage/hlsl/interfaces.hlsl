// Interfaces: one alone, an array indexed at run time, objects in arrays, several cbuffers.
interface Operation { float4 apply(float4 a); float4 other(float4 a); };
class Add : Operation
{
    float k;
    float4 apply(float4 a) { return a + k; }
    float4 other(float4 a) { return a * a + k; }
};
class Multiply : Operation
{
    float4 k;
    float4 apply(float4 a) { return a * k; }
    float4 other(float4 a) { return a - k.wzyx; }
};
class Table : Operation
{
    float4 rows[3];
    uint row;
    float4 apply(float4 a) { return a + rows[row]; }
    float4 other(float4 a) { return -a; }
};
Operation op;
Operation ops[3];
cbuffer First : register(b2) { Add add; Multiply multiply[2]; uint selected; };
cbuffer Second : register(b0) { Table table; Add second; };
RWStructuredBuffer<float4> values : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float4 v = op.apply(values[id.x]);
    values[id.x] = op.other(v) + ops[selected].apply(v);
}
