RWStructuredBuffer<uint> seen : register(u0);
[numthreads(8, 4, 1)]
void main(min16uint2 at : SV_DispatchThreadID, min16uint lane : SV_GroupIndex)
{
    seen[lane] = at.x * at.y;
}
