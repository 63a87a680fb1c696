RWByteAddressBuffer written : register(u0);

cbuffer Constants
{
    min16float a;
    min16float3 b;
    min16int c;
    min16uint2 d;
    min12int e;
    min10float2 f;
    min16float g[3];
    min16int last;
};

[numthreads(1, 1, 1)]
void main()
{
    uint at = 0;
    written.Store(at, asuint((float)a)); at += 4;
    written.Store(at, asuint((float)b.x)); at += 4;
    written.Store(at, asuint((float)b.y)); at += 4;
    written.Store(at, asuint((float)b.z)); at += 4;
    written.Store(at, asuint((int)c)); at += 4;
    written.Store(at, asuint((uint)d.x)); at += 4;
    written.Store(at, asuint((uint)d.y)); at += 4;
    written.Store(at, asuint((int)e)); at += 4;
    written.Store(at, asuint((float)f.x)); at += 4;
    written.Store(at, asuint((float)f.y)); at += 4;
    written.Store(at, asuint((float)g[0])); at += 4;
    written.Store(at, asuint((float)g[1])); at += 4;
    written.Store(at, asuint((float)g[2])); at += 4;
    written.Store(at, asuint((int)last)); at += 4;
}
