RWByteAddressBuffer written : register(u0);

cbuffer Constants
{
    float a[3];
    float tail;
    float2 b[2];
    float3 c[2];
    float after;
    float4 d[2];
    int e[2][3];
    float2x3 f[2];
    row_major float3x2 g[2];
    bool h[2];
    uint one[1];
    float last;
};

[numthreads(1, 1, 1)]
void main()
{
    uint at = 0;
    written.Store(at, asuint(a[0])); at += 4;
    written.Store(at, asuint(a[1])); at += 4;
    written.Store(at, asuint(a[2])); at += 4;
    written.Store(at, asuint(tail)); at += 4;
    written.Store(at, asuint(b[0].x)); at += 4;
    written.Store(at, asuint(b[0].y)); at += 4;
    written.Store(at, asuint(b[1].x)); at += 4;
    written.Store(at, asuint(b[1].y)); at += 4;
    written.Store(at, asuint(c[0].x)); at += 4;
    written.Store(at, asuint(c[0].y)); at += 4;
    written.Store(at, asuint(c[0].z)); at += 4;
    written.Store(at, asuint(c[1].x)); at += 4;
    written.Store(at, asuint(c[1].y)); at += 4;
    written.Store(at, asuint(c[1].z)); at += 4;
    written.Store(at, asuint(after)); at += 4;
    written.Store(at, asuint(d[0].x)); at += 4;
    written.Store(at, asuint(d[0].y)); at += 4;
    written.Store(at, asuint(d[0].z)); at += 4;
    written.Store(at, asuint(d[0].w)); at += 4;
    written.Store(at, asuint(d[1].x)); at += 4;
    written.Store(at, asuint(d[1].y)); at += 4;
    written.Store(at, asuint(d[1].z)); at += 4;
    written.Store(at, asuint(d[1].w)); at += 4;
    written.Store(at, asuint(e[0][0])); at += 4;
    written.Store(at, asuint(e[0][1])); at += 4;
    written.Store(at, asuint(e[0][2])); at += 4;
    written.Store(at, asuint(e[1][0])); at += 4;
    written.Store(at, asuint(e[1][1])); at += 4;
    written.Store(at, asuint(e[1][2])); at += 4;
    written.Store(at, asuint(f[0]._m00)); at += 4;
    written.Store(at, asuint(f[0]._m01)); at += 4;
    written.Store(at, asuint(f[0]._m02)); at += 4;
    written.Store(at, asuint(f[0]._m10)); at += 4;
    written.Store(at, asuint(f[0]._m11)); at += 4;
    written.Store(at, asuint(f[0]._m12)); at += 4;
    written.Store(at, asuint(f[1]._m00)); at += 4;
    written.Store(at, asuint(f[1]._m01)); at += 4;
    written.Store(at, asuint(f[1]._m02)); at += 4;
    written.Store(at, asuint(f[1]._m10)); at += 4;
    written.Store(at, asuint(f[1]._m11)); at += 4;
    written.Store(at, asuint(f[1]._m12)); at += 4;
    written.Store(at, asuint(g[0]._m00)); at += 4;
    written.Store(at, asuint(g[0]._m01)); at += 4;
    written.Store(at, asuint(g[0]._m10)); at += 4;
    written.Store(at, asuint(g[0]._m11)); at += 4;
    written.Store(at, asuint(g[0]._m20)); at += 4;
    written.Store(at, asuint(g[0]._m21)); at += 4;
    written.Store(at, asuint(g[1]._m00)); at += 4;
    written.Store(at, asuint(g[1]._m01)); at += 4;
    written.Store(at, asuint(g[1]._m10)); at += 4;
    written.Store(at, asuint(g[1]._m11)); at += 4;
    written.Store(at, asuint(g[1]._m20)); at += 4;
    written.Store(at, asuint(g[1]._m21)); at += 4;
    written.Store(at, h[0] ? 1 : 0); at += 4;
    written.Store(at, h[1] ? 1 : 0); at += 4;
    written.Store(at, asuint(one[0])); at += 4;
    written.Store(at, asuint(last)); at += 4;
}
