// 32-bit integer arithmetic, comparisons, logic, shifts and conversions.
struct Input { uint4 a; uint4 b; int4 c; int4 d; float4 f; };
struct Row
{
    uint4 sum, difference, product, multiply_add, quotient, remainder, seventh, rest7;
    int4 signed_product, signed_multiply_add, signed_quotient, signed_remainder, negated, magnitude;
    int4 least, most;
    uint4 unsigned_least, unsigned_most;
    uint4 equal, unequal, signed_ge, signed_lt, unsigned_ge, unsigned_lt;
    uint4 both, either, odd, inverse;
    uint4 left, logical_right;
    int4 arithmetic_right;
    int4 to_signed;
    uint4 to_unsigned;
    float4 from_signed, from_unsigned;
    uint4 bits;
};
StructuredBuffer<Input> inputs : register(t0);
RWStructuredBuffer<Row> rows : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    Input x = inputs[id.x];
    uint4 a = x.a, b = x.b;
    int4 c = x.c, d = x.d;
    Row row;
    row.sum = a + b;
    row.difference = a - b;
    row.product = a * b;
    row.multiply_add = a * b + a;
    row.quotient = a / b;
    row.remainder = a % b;
    row.seventh = a / 7;
    row.rest7 = a % 7;
    row.signed_product = c * d;
    row.signed_multiply_add = c * d + c;
    row.signed_quotient = c / d;
    row.signed_remainder = c % d;
    row.negated = -c;
    row.magnitude = abs(c);
    row.least = min(c, d);
    row.most = max(c, d);
    row.unsigned_least = min(a, b);
    row.unsigned_most = max(a, b);
    row.equal = a == b ? 1u : 0u;
    row.unequal = a != b ? 2u : 0u;
    row.signed_ge = c >= d ? 3u : 0u;
    row.signed_lt = c < d ? 4u : 0u;
    row.unsigned_ge = a >= b ? 5u : 0u;
    row.unsigned_lt = a < b ? 6u : 0u;
    row.both = a & b;
    row.either = a | b;
    row.odd = a ^ b;
    row.inverse = ~a;
    row.left = a << b;
    row.logical_right = a >> b;
    row.arithmetic_right = c >> d;
    row.to_signed = (int4)x.f;
    row.to_unsigned = (uint4)x.f;
    row.from_signed = (float4)c;
    row.from_unsigned = (float4)a;
    row.bits = asuint(x.f);
    rows[id.x] = row;
}
