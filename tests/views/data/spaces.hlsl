// A resource in each of more spaces than a device has descriptor sets. Each number goes to `found`.
StructuredBuffer<uint> first : register(t0, space0);
ByteAddressBuffer second : register(t0, space1);
Buffer<uint> third : register(t0, space2);
StructuredBuffer<uint> fourth : register(t3, space3);
StructuredBuffer<uint> fifth : register(t0, space4);
StructuredBuffer<uint> sixth : register(t0, space5);
StructuredBuffer<uint> seventh : register(t0, space6);
StructuredBuffer<uint> eighth : register(t0, space7);
StructuredBuffer<uint> ninth : register(t0, space8);
cbuffer Constants : register(b0, space9) { uint constant; };
RWStructuredBuffer<uint> counted : register(u0, space10);
Texture2D<float> image : register(t0, space11);
SamplerState state : register(s0, space2000000000);
StructuredBuffer<uint> list[3] : register(t1, space4294967294);
RWStructuredBuffer<uint> found : register(u1, space12);

[numthreads(1, 1, 1)]
void main()
{
    found[0] = first[0];
    found[1] = second.Load(0);
    found[2] = third[0];
    found[3] = fourth[0];
    found[4] = fifth[0];
    found[5] = sixth[0];
    found[6] = seventh[0];
    found[7] = eighth[0];
    found[8] = ninth[0];
    found[9] = constant;
    counted[0] = counted.IncrementCounter();
    found[10] = (uint)image.SampleLevel(state, float2(0.75, 0.5), 0);
    found[11] = list[0][0];
    found[12] = list[1][0];
    found[13] = list[2][0];
    found[14] = found[99] + 7;
}
