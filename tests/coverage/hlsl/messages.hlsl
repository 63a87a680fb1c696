// What shaders say to the host, with arguments of every kind that fxc takes.

cbuffer Params : register(b0)
{
    float4 scale;
    int4 limit; // of x: at which value a thread aborts
};
StructuredBuffer<uint> given : register(t0);
RWStructuredBuffer<uint> seen : register(u0);

static const uint primes[4] = { 2, 3, 5, 7 };

[numthreads(16, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex)
{
    uint value = given[id.x];
    seen[id.x] = value + 1;
    if (id.x == 0)
        printf("says \"so\" 100%%\t\\ // no comment; %d", 7);
    printf("thread %u (%d): %08x, %f", id.x, -int(index), value, -scale.y);
    for (uint i = 0; i < (value & 3); i++)
        printf("prime %u", primes[i]);
    if (value & 1)
        errorf("odd: %u, a half of it %.1f\n", value, value * 0.5f);
    if (int(value) == limit.x)
        abort();
    seen[id.x] = value + 2;
}
