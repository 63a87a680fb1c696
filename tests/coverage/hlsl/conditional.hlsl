// `continuec` and `retc`, which fxc writes where it is told to avoid flow control.
StructuredBuffer<uint> inputs : register(t0);
RWStructuredBuffer<uint> outputs : register(u0);
cbuffer Limits : register(b0) { uint rounds; bool done; };

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    if (done)
        return;
    uint x = inputs[id.x], total = 0;
    [loop] for (uint i = 0; i < rounds; i++)
    {
        if (inputs[i] == x)
            continue;
        outputs[8 * id.x + i] = i;
        total += inputs[i];
        if (total > 99)
            continue;
        total ^= 5;
    }
    outputs[8 * id.x + 7] = total;
}
