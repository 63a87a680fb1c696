// Tiled-resource forms of loads from buffers, whose status is asked for.
StructuredBuffer<float4> structured : register(t0);
ByteAddressBuffer raw : register(t1);
Buffer<float4> typed : register(t2);
RWStructuredBuffer<float4> stored : register(u0);
RWByteAddressBuffer stored_raw : register(u1);
RWBuffer<uint4> stored_typed : register(u2);
RWStructuredBuffer<uint> mapped : register(u3);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint s, all = 0;
    float4 sum = structured.Load(id.x, s);
    all += CheckAccessFullyMapped(s);
    sum += asfloat(raw.Load4(16 * id.x, s));
    all += CheckAccessFullyMapped(s);
    sum += typed.Load(id.x, s);
    all += CheckAccessFullyMapped(s);
    sum += stored.Load(id.x, s);
    all += CheckAccessFullyMapped(s);
    sum.x += asfloat(stored_raw.Load(4 * id.x, s));
    all += CheckAccessFullyMapped(s);
    sum.x += stored_typed.Load(id.x, s).x;
    all += CheckAccessFullyMapped(s);
    stored[id.x] = sum;
    mapped[id.x] = all;
}
