RWByteAddressBuffer written : register(u0);

cbuffer Constants : register(b2)
{
    float4 a : packoffset(c1);
    float2 b : packoffset(c0.z);
    float c : packoffset(c3.y);
};

[numthreads(1, 1, 1)]
void main()
{
    uint at = 0;
    written.Store(at, asuint(a.x)); at += 4;
    written.Store(at, asuint(a.y)); at += 4;
    written.Store(at, asuint(a.z)); at += 4;
    written.Store(at, asuint(a.w)); at += 4;
    written.Store(at, asuint(b.x)); at += 4;
    written.Store(at, asuint(b.y)); at += 4;
    written.Store(at, asuint(c)); at += 4;
}
