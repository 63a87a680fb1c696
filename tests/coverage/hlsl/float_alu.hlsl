// 32-bit float arithmetic, comparisons, selection and modifiers.
struct Input { float4 a; float4 b; float4 c; };
struct Row
{
    float4 sum, product, multiply_add, quotient, least, most;
    float4 fraction, nearest, down, up, toward_zero;
    float4 power, logarithm, root, inverse_root, reciprocal_;
    float4 sine, cosine, only_sine, only_cosine;
    float dot2, dot3, dot4;
    uint4 equal, unequal, greater_equal, less;
    float4 saturated, negated, magnitude, negative_magnitude;
    float4 selected, fused_saturated;
    float4 low, high;
};
StructuredBuffer<Input> inputs : register(t0);
RWStructuredBuffer<Row> rows : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    Input x = inputs[id.x];
    float4 a = x.a, b = x.b, c = x.c;
    Row row;
    row.sum = a + b;
    row.product = a * b;
    row.multiply_add = a * b + c;
    row.quotient = a / b;
    row.least = min(a, b);
    row.most = max(a, b);
    row.fraction = frac(a);
    row.nearest = round(a);
    row.down = floor(a);
    row.up = ceil(a);
    row.toward_zero = trunc(a);
    row.power = exp2(b);
    row.logarithm = log2(c);
    row.root = sqrt(c);
    row.inverse_root = rsqrt(c);
    row.reciprocal_ = rcp(c);
    sincos(a, row.sine, row.cosine);
    row.only_sine = sin(b);
    row.only_cosine = cos(c);
    row.dot2 = dot(a.xy, b.xy);
    row.dot3 = dot(a.xyz, b.xyz);
    row.dot4 = dot(a, b);
    row.equal = a == b ? 1u : 0u;
    row.unequal = a != b ? 2u : 0u;
    row.greater_equal = a >= b ? 3u : 0u;
    row.less = a < b ? 4u : 0u;
    row.saturated = saturate(a);
    row.negated = -a;
    row.magnitude = abs(a);
    row.negative_magnitude = -abs(a);
    row.selected = c > b ? a : b;
    row.fused_saturated = saturate(a * b + c);
    bool4 swap = a > b;
    row.low = swap ? b : a;
    row.high = swap ? a : b;
    rows[id.x] = row;
}
