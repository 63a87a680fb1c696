// Names that look like registers: most are registers of other resources. fxc /T cs_5_0 /O3
StructuredBuffer<uint> t1 : register(t0);
StructuredBuffer<uint> t0 : register(t1);
StructuredBuffer<uint> t9 : register(t2); // no register of the shader
StructuredBuffer<uint> t3 : register(t3); // its own
RWStructuredBuffer<uint> u1 : register(u0);
RWStructuredBuffer<uint> u0 : register(u1);
namespace physics
{
    cbuffer Step { uint scale; }
}
cbuffer Large { uint many[400]; }
[numthreads(1, 1, 1)]
void main()
{
    u1[0] = t1[0] + 10 * t0[0] + 100 * t9[0] + 1000 * t3[0];
    u0[0] = physics::scale + many[399];
}
