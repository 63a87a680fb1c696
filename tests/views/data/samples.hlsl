// A sample of each of an array of multisampled textures, and how many samples each has.
Texture2DMS<float> images[2] : register(t0);
RWStructuredBuffer<float4> found : register(u0);

[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    [unroll] for (uint n = 0; n < 2; n++)
    {
        uint width, height, samples;
        images[n].GetDimensions(width, height, samples);
        found[2 * id.x + n] = float4(images[n].Load(int2(1, 1), id.x), width, height, samples);
    }
}
