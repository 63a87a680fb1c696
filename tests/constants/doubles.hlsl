RWByteAddressBuffer written : register(u0);

cbuffer Constants
{
    float a;
    double b;
    double2 c;
    float d;
    double3 e;
    double f[3];
    double2x3 g;
    row_major double3x2 h;
    float last;
};

[numthreads(1, 1, 1)]
void main()
{
    uint at = 0;
    uint low, high;
    written.Store(at, asuint(a)); at += 4;
    asuint(b, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(c.x, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(c.y, low, high); written.Store2(at, uint2(low, high)); at += 8;
    written.Store(at, asuint(d)); at += 4;
    asuint(e.x, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(e.y, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(e.z, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(f[0], low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(f[1], low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(f[2], low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(g._m00, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(g._m01, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(g._m02, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(g._m10, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(g._m11, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(g._m12, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(h._m00, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(h._m01, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(h._m10, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(h._m11, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(h._m20, low, high); written.Store2(at, uint2(low, high)); at += 8;
    asuint(h._m21, low, high); written.Store2(at, uint2(low, high)); at += 8;
    written.Store(at, asuint(last)); at += 4;
}
