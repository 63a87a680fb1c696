RWByteAddressBuffer written : register(u0);

struct Inner
{
    float2 p;
    int n[2];
};

struct Outer
{
    float a;
    Inner inner[2];
    row_major float2x3 rows;
    float3x2 columns;
    bool flag;
};

cbuffer Constants
{
    float first;
    Outer one;
    float between;
    Inner two[3];
    float last;
};

[numthreads(1, 1, 1)]
void main()
{
    uint at = 0;
    written.Store(at, asuint(first)); at += 4;
    written.Store(at, asuint(one.a)); at += 4;
    written.Store(at, asuint(one.inner[0].p.x)); at += 4;
    written.Store(at, asuint(one.inner[0].p.y)); at += 4;
    written.Store(at, asuint(one.inner[0].n[0])); at += 4;
    written.Store(at, asuint(one.inner[0].n[1])); at += 4;
    written.Store(at, asuint(one.inner[1].p.x)); at += 4;
    written.Store(at, asuint(one.inner[1].p.y)); at += 4;
    written.Store(at, asuint(one.inner[1].n[0])); at += 4;
    written.Store(at, asuint(one.inner[1].n[1])); at += 4;
    written.Store(at, asuint(one.rows._m00)); at += 4;
    written.Store(at, asuint(one.rows._m01)); at += 4;
    written.Store(at, asuint(one.rows._m02)); at += 4;
    written.Store(at, asuint(one.rows._m10)); at += 4;
    written.Store(at, asuint(one.rows._m11)); at += 4;
    written.Store(at, asuint(one.rows._m12)); at += 4;
    written.Store(at, asuint(one.columns._m00)); at += 4;
    written.Store(at, asuint(one.columns._m01)); at += 4;
    written.Store(at, asuint(one.columns._m10)); at += 4;
    written.Store(at, asuint(one.columns._m11)); at += 4;
    written.Store(at, asuint(one.columns._m20)); at += 4;
    written.Store(at, asuint(one.columns._m21)); at += 4;
    written.Store(at, one.flag ? 1 : 0); at += 4;
    written.Store(at, asuint(between)); at += 4;
    written.Store(at, asuint(two[0].p.x)); at += 4;
    written.Store(at, asuint(two[0].p.y)); at += 4;
    written.Store(at, asuint(two[0].n[0])); at += 4;
    written.Store(at, asuint(two[0].n[1])); at += 4;
    written.Store(at, asuint(two[1].p.x)); at += 4;
    written.Store(at, asuint(two[1].p.y)); at += 4;
    written.Store(at, asuint(two[1].n[0])); at += 4;
    written.Store(at, asuint(two[1].n[1])); at += 4;
    written.Store(at, asuint(two[2].p.x)); at += 4;
    written.Store(at, asuint(two[2].p.y)); at += 4;
    written.Store(at, asuint(two[2].n[0])); at += 4;
    written.Store(at, asuint(two[2].n[1])); at += 4;
    written.Store(at, asuint(last)); at += 4;
}
