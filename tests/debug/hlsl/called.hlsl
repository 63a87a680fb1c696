// Subroutines, an array of a thread's own, and lines that #line gives another name.
StructuredBuffer<uint> steps : register(t0);
RWStructuredBuffer<uint> states : register(u0);

#line 100 "machine.made"
void run(uint step, inout uint state[8], uint at)
{
    [call] switch (step)
    {
    case 0: state[at & 7] += 3; break;
    case 1: state[at & 7] ^= at; break;
    case 2: state[(at + 1) & 7] = state[at & 7]; break;
    default: state[0] += step; break;
    }
}
#line 17 "Z:\\hlsl\\called.hlsl"

[numthreads(32, 1, 1)]
void Simulate(uint3 id : SV_DispatchThreadID)
{
    uint state[8];
    [unroll]
    for (uint i = 0; i < 8; i++)
        state[i] = i;
    [loop]
    for (uint n = 0; n < 5; n++)
        run(steps[id.x * 5 + n], state, n);
    states[id.x] = state[id.x & 7];
}
