#define SCALE 2
#line 1 "means.hlsl"
StructuredBuffer<float> samples : register(t0);
RWStructuredBuffer<float> means : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    means[id.x] = (samples[id.x] + samples[id.x + 1]) / SCALE;
}
