StructuredBuffer<float> samples : register(t0);
cbuffer Params : register(b0)
{
    uint count;
};

float neighbour(uint place, uint i)
{
    return samples[place + i
                   - 1];
}
