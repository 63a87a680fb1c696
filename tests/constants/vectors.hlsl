RWByteAddressBuffer written : register(u0);

cbuffer Constants
{
    float a;
    float3 b;
    float2 c;
    int d;
    uint4 e;
    bool f;
    bool2 g;
    int3 h;
    float4 i;
    uint2 j;
    float3 k;
    bool4 l;
    int last;
};

[numthreads(1, 1, 1)]
void main()
{
    uint at = 0;
    written.Store(at, asuint(a)); at += 4;
    written.Store(at, asuint(b.x)); at += 4;
    written.Store(at, asuint(b.y)); at += 4;
    written.Store(at, asuint(b.z)); at += 4;
    written.Store(at, asuint(c.x)); at += 4;
    written.Store(at, asuint(c.y)); at += 4;
    written.Store(at, asuint(d)); at += 4;
    written.Store(at, asuint(e.x)); at += 4;
    written.Store(at, asuint(e.y)); at += 4;
    written.Store(at, asuint(e.z)); at += 4;
    written.Store(at, asuint(e.w)); at += 4;
    written.Store(at, f ? 1 : 0); at += 4;
    written.Store(at, g.x ? 1 : 0); at += 4;
    written.Store(at, g.y ? 1 : 0); at += 4;
    written.Store(at, asuint(h.x)); at += 4;
    written.Store(at, asuint(h.y)); at += 4;
    written.Store(at, asuint(h.z)); at += 4;
    written.Store(at, asuint(i.x)); at += 4;
    written.Store(at, asuint(i.y)); at += 4;
    written.Store(at, asuint(i.z)); at += 4;
    written.Store(at, asuint(i.w)); at += 4;
    written.Store(at, asuint(j.x)); at += 4;
    written.Store(at, asuint(j.y)); at += 4;
    written.Store(at, asuint(k.x)); at += 4;
    written.Store(at, asuint(k.y)); at += 4;
    written.Store(at, asuint(k.z)); at += 4;
    written.Store(at, l.x ? 1 : 0); at += 4;
    written.Store(at, l.y ? 1 : 0); at += 4;
    written.Store(at, l.z ? 1 : 0); at += 4;
    written.Store(at, l.w ? 1 : 0); at += 4;
    written.Store(at, asuint(last)); at += 4;
}
