RWStructuredBuffer<uint> values : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    [branch]
    if (id.x < 8)
        values[id.x] = values[id.x] * FACTOR + N;
}
