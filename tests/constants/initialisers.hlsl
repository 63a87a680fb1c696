RWByteAddressBuffer written : register(u0);

cbuffer Constants
{
    float a = 2.5;
    int3 b = {1, -2, 3};
    float c;
    float4x4 unused;
    row_major float2x2 d = {1, 2, 3, 4};
    float2x3 e = {1, 2, 3, 4, 5, 6};
    bool f = true;
    float g[3] = {7, 8, 9};
    uint other = 9;
};

[numthreads(1, 1, 1)]
void main()
{
    uint at = 0;
    written.Store(at, asuint(a)); at += 4;
    written.Store(at, asuint(b.x)); at += 4;
    written.Store(at, asuint(b.y)); at += 4;
    written.Store(at, asuint(b.z)); at += 4;
    written.Store(at, asuint(c)); at += 4;
    written.Store(at, asuint(d._m00)); at += 4;
    written.Store(at, asuint(d._m01)); at += 4;
    written.Store(at, asuint(d._m10)); at += 4;
    written.Store(at, asuint(d._m11)); at += 4;
    written.Store(at, asuint(e._m00)); at += 4;
    written.Store(at, asuint(e._m01)); at += 4;
    written.Store(at, asuint(e._m02)); at += 4;
    written.Store(at, asuint(e._m10)); at += 4;
    written.Store(at, asuint(e._m11)); at += 4;
    written.Store(at, asuint(e._m12)); at += 4;
    written.Store(at, f ? 1 : 0); at += 4;
    written.Store(at, asuint(g[0])); at += 4;
    written.Store(at, asuint(g[1])); at += 4;
    written.Store(at, asuint(g[2])); at += 4;
}
