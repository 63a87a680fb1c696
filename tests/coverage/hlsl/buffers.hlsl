// Raw, structured and typed buffers: loads, stores and sizes.
struct Item { uint key; float3 where; uint tail[2]; };
StructuredBuffer<Item> items : register(t0);
ByteAddressBuffer bytes : register(t1);
Buffer<uint4> typed_integers : register(t2);
Buffer<float4> typed_floats : register(t3);
RWStructuredBuffer<Item> stored_items : register(u0);
RWByteAddressBuffer stored_bytes : register(u1);
RWBuffer<uint> stored_integers : register(u2);
RWBuffer<float4> stored_floats : register(u3);
RWStructuredBuffer<uint> sizes : register(u4);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint x = id.x, count, stride;
    Item item = items[x];
    item.key += 1;
    item.where = item.where.zxy;
    item.tail[0] += item.tail[1];
    stored_items[x] = item;
    stored_items[x].tail[1] ^= 0xff;
    uint4 four = bytes.Load4(16 * x);
    stored_bytes.Store3(12 * x, four.wzy);
    stored_bytes.Store(12 * x + 4, bytes.Load(4 * x) + stored_bytes.Load(12 * x));
    stored_integers[x] = typed_integers[x].y + stored_integers[x];
    stored_floats[x] = typed_floats[x] * 2;
    if (x == 0)
    {
        items.GetDimensions(count, stride);
        sizes[0] = count;
        sizes[1] = stride;
        bytes.GetDimensions(sizes[2]);
        typed_integers.GetDimensions(sizes[3]);
        stored_items.GetDimensions(count, stride);
        sizes[4] = count;
        stored_bytes.GetDimensions(sizes[5]);
        stored_integers.GetDimensions(sizes[6]);
    }
}
