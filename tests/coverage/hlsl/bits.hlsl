// Bit counting, searching and fields, half floats, sums of differences: Shader Model 5.
struct Input { uint4 a; uint4 b; int4 c; float4 f; };
struct Row
{
    uint4 count, first_high, first_low, reversed;
    int4 signed_high;
    uint4 field, inserted;
    int4 signed_field;
    uint4 to_half;
    float4 from_half;
    uint4 differences;
    uint4 low, high;
    float4 reciprocal_;
};
StructuredBuffer<Input> inputs : register(t0);
RWStructuredBuffer<Row> rows : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    Input x = inputs[id.x];
    uint4 a = x.a, b = x.b;
    Row row;
    row.count = countbits(a);
    row.first_high = firstbithigh(a);
    row.first_low = firstbitlow(a);
    row.reversed = reversebits(a);
    row.signed_high = firstbithigh(x.c);
    row.field = (a >> 5) & 0x3ff;
    row.signed_field = (x.c << 7) >> 20;
    row.inserted = ((a & 0x1f) << 9) | (b & ~(0x1fu << 9));
    row.to_half = f32tof16(x.f);
    row.from_half = f16tof32(a);
    row.differences = msad4(b.x, a.xy, b);
    // The smaller of each pair, then the larger, as a sorting network has it.
    uint4 p = a, q = b;
    [flatten] if (a.x > b.x) { p = b; q = a; }
    row.low = p;
    row.high = q;
    row.reciprocal_ = rcp(x.f);
    rows[id.x] = row;
}
