// The mean of each element and its two neighbours. It has a mistake, which the README finds: the
// first and the last thread read outside of the array.
StructuredBuffer<float> samples : register(t0);
RWStructuredBuffer<float> means : register(u0);
cbuffer Params : register(b0)
{
    uint count;
};

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    if (id.x >= count)
        return;
    float total = samples[id.x - 1] + samples[id.x] + samples[id.x + 1];
    means[id.x] = total / 3;
}
