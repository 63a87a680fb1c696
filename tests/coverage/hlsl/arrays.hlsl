// An immediate constant buffer, indexable temporaries, constants indexed at run time.
static const float4 TABLE[6] =
{
    float4(1, 2, 3, 4), float4(0.5, -0.25, 1e-9, 3e10), float4(-7, 0, -0.0, 8),
    float4(1.5, 2.5, 3.5, 4.5), float4(9, 10, 11, 12), float4(100, 200, 300, 400)
};
static const uint PRIMES[7] = { 2, 3, 5, 7, 11, 13, 17 };
struct Row { float4 looked_up; uint prime; uint sorted[5]; float4 constant; float2 swept; };
StructuredBuffer<uint> inputs : register(t0);
RWStructuredBuffer<Row> rows : register(u0);
cbuffer Constants : register(b0) { float4 values[4]; };

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint x = inputs[id.x], i, j;
    Row row;
    row.looked_up = TABLE[x % 6];
    row.prime = PRIMES[x % 7];
    uint keys[5];
    for (i = 0; i < 5; i++)
        keys[i] = (x >> (3 * i)) & 15;
    [loop] for (i = 1; i < 5; i++)
    {
        uint key = keys[i];
        [loop] for (j = i; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
    row.sorted = keys;
    row.constant = values[x & 3];
    float2 swept[3] = { float2(1, 2), float2(3, 4), float2(5, 6) };
    swept[x % 3] = float2(x & 255, 0.5);
    row.swept = swept[(x >> 4) % 3];
    rows[id.x] = row;
}
