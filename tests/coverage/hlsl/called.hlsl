// Functions that are called, in code for a debugger: `nop` marks where they begin and end.
StructuredBuffer<uint> inputs : register(t0);
RWStructuredBuffer<uint> outputs : register(u0);
cbuffer Limits : register(b0) { bool twice; };

uint sum_to(uint n)
{
    uint total = 0;
    for (uint i = 1; i <= n; i++)
        total += i;
    return total;
}

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint x = inputs[id.x];
    uint result = sum_to(x & 7);
    [call] if (twice)
        result += 2 * sum_to(x & 15);
    outputs[id.x] = result;
}
