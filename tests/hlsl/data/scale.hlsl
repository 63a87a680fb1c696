// values[i] becomes values[i] * FACTOR + N
#include "factor.h"

RWStructuredBuffer<uint> values : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    values[id.x] = values[id.x] * FACTOR + N;
}
