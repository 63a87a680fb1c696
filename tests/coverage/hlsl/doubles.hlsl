// Double precision; ELEVEN_1 adds what Direct3D 11.1 has.
struct Input { double2 a; double2 b; float2 f; int2 i; uint2 u; };
struct Row
{
    double2 sum, product, least, most, selected, widened, copied, negated;
    uint2 equal, unequal, greater_equal, less;
    float2 narrowed;
    uint2 lows, highs;
#ifdef ELEVEN_1
    double2 quotient, fused, reciprocal_, from_int, from_uint;
    int2 to_int;
    uint2 to_uint;
#endif
};
StructuredBuffer<Input> inputs : register(t0);
RWStructuredBuffer<Row> rows : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    Input x = inputs[id.x];
    double2 a = x.a, b = x.b;
    Row row;
    row.sum = a + b;
    row.product = a * b;
    row.least = min(a, b);
    row.most = max(a, b);
    row.selected = x.f > 0 ? a : b;
    row.widened = (double2)x.f;
    row.copied = x.u.x & 1 ? a : 0.5L;
    row.negated = -a;
    row.equal = a == b ? 1u : 0u;
    row.unequal = a != b ? 2u : 0u;
    row.greater_equal = a >= b ? 3u : 0u;
    row.less = a < b ? 4u : 0u;
    row.narrowed = (float2)a;
    uint low, high;
    asuint(a.x, low, high);
    row.lows = uint2(low, low);
    row.highs = uint2(high, high);
#ifdef ELEVEN_1
    row.quotient = a / b;
    row.fused = fma(a, b, row.widened);
    row.reciprocal_ = rcp(b);
    row.from_int = (double2)x.i;
    row.from_uint = (double2)x.u;
    row.to_int = (int2)a;
    row.to_uint = (uint2)b;
#endif
    rows[id.x] = row;
}
