// What Shader Model 4 allows of compute: one raw UAV, group-shared memory that a thread writes only
// at its own index, raw and structured buffers.
struct Item { float2 position; uint key; };
StructuredBuffer<Item> items : register(t0);
ByteAddressBuffer bytes : register(t1);
RWByteAddressBuffer result : register(u0);
groupshared float2 tile[16];

[numthreads(16, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    Item item = items[id.x];
    tile[lane] = item.position;
    GroupMemoryBarrierWithGroupSync();
    float2 next = tile[(lane + 1) & 15];
    uint3 words = bytes.Load3(12 * id.x);
    result.Store4(16 * id.x, uint4(asuint(item.position + next), item.key ^ words.x, words.y + words.z));
}
