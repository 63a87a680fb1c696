// Classes with textures and samplers: loads, sampling and gathering by the object's place.
interface Source { float4 read(uint2 at); };
class Sampled : Source
{
    Texture2D<float4> image;
    SamplerState state;
    float4 scale;
    float4 read(uint2 at)
    {
        float2 place = (at + 0.75) / 4;
        return image.SampleLevel(state, place, 0) * scale + image.GatherRed(state, place);
    }
};
class Loaded : Source
{
    Texture2D<float4> one;
    Texture2D<float4> two;
    float4 read(uint2 at) { return one.Load(int3(at, 0)) - two.Load(int3(at.yx, 0)); }
};
Source source;
Source sources[2];
cbuffer Objects : register(b0) { Sampled first; Sampled second; uint chosen; };
Loaded loaded;
RWStructuredBuffer<float4> values : register(u0);

[numthreads(4, 4, 1)]
void main(uint2 id : SV_DispatchThreadID)
{
    values[4 * id.y + id.x] = source.read(id) + sources[chosen].read(id);
}
