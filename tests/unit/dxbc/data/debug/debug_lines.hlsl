// Debug information that leads into two files.
#include "neighbours.hlsli"

RWStructuredBuffer<float> means : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    if (id.x >= count)
        return;
    float total = 0;
    [loop]
    for (uint i = 0; i < 3; i++)
    {
        total += neighbour(id.x, i);
    }
    means[id.x] = total / 3;
}
