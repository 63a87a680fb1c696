RWByteAddressBuffer written : register(u0);

struct Light
{
    float3 colour;
    int kind;
    float4x4 view;
};

ConstantBuffer<Light> one : register(b0);
ConstantBuffer<Light> several[2] : register(b1, space3);

[numthreads(1, 1, 1)]
void main()
{
    written.Store4(0, uint4(asuint(one.colour), asuint(one.kind)));
    written.Store(16, asuint(one.view._m12));
    written.Store4(20, uint4(asuint(several[0].colour), asuint(several[0].kind)));
    written.Store4(36, uint4(asuint(several[1].colour), asuint(several[1].kind)));
    written.Store(52, asuint(several[1].view._m30));
}
