// Every barrier that HLSL has, over group-shared memory and UAVs, one of them globally coherent.
StructuredBuffer<uint> inputs : register(t0);
globallycoherent RWStructuredBuffer<uint> coherent : register(u0);
RWByteAddressBuffer plain : register(u1);
groupshared uint cells[64];
groupshared uint total;

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex, uint3 group : SV_GroupID,
          uint3 within : SV_GroupThreadID)
{
    cells[lane] = inputs[id.x];
    if (lane == 0)
        total = 0;
    GroupMemoryBarrier();
    GroupMemoryBarrierWithGroupSync();
    uint next = cells[(within.x + 1) & 63];
    AllMemoryBarrierWithGroupSync();
    cells[lane] += next;
    InterlockedAdd(total, next & 0xff);
    AllMemoryBarrier();
    coherent[id.x] = next;
    DeviceMemoryBarrierWithGroupSync();
    plain.Store(4 * id.x, coherent[64 * group.x + 63 - lane] + cells[lane]);
    DeviceMemoryBarrier();
    if (lane == 63)
        plain.Store(4 * (128 + group.x), total);
}
