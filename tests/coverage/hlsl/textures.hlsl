// Loads, sampling, gathering and queries of textures of every dimension; STATUS asks for the
// tiled-resource forms; MODEL4 is 0 for Shader Model 4.0 and 1 for 4.1.
Texture1D<float4> t1d : register(t0);
Texture1DArray<float4> t1da : register(t1);
Texture2D<float4> t2d : register(t2);
Texture2DArray<float4> t2da : register(t3);
Texture3D<float4> t3d : register(t4);
TextureCube<float4> cube : register(t5);
TextureCubeArray<float4> cubes : register(t6);
Texture2DMS<float4> ms : register(t7);
Texture2DMSArray<float4> msa : register(t8);
Texture2D<uint4> integers : register(t9);
SamplerState linear_sampler : register(s0);
SamplerComparisonState comparing : register(s1);
#ifdef MODEL4
RWStructuredBuffer<float4> result : register(u0);
#else
RWTexture2D<float> stored : register(u0);
RWTexture2DArray<uint4> stored_array : register(u1);
RWTexture1D<float4> stored_1d : register(u2);
RWTexture3D<float4> stored_3d : register(u3);
RWStructuredBuffer<float4> result : register(u4);
#endif

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint status = 0, mapped = 0, w, h, d, n;
    float2 p = id.xy / 8.0;
    float4 sum = t2d.SampleLevel(linear_sampler, p, 1.5);
    sum += t2d.SampleLevel(linear_sampler, p, 0, int2(1, -2));
    sum += t2d.SampleGrad(linear_sampler, p, p * 0.1, p * 0.2);
    sum += t2d.Load(int3(id.xy, 0), int2(1, 1));
    sum += t3d.SampleLevel(linear_sampler, p.xyx, 0);
    sum += t1da.SampleLevel(linear_sampler, p, 0);
#ifndef MODEL4
    sum += t2d.GatherRed(linear_sampler, p);
#ifdef STATUS
    sum += t2d.SampleLevel(linear_sampler, p, 2, int2(0, 1), status);
    mapped += CheckAccessFullyMapped(status);
    sum += t2d.SampleCmpLevelZero(comparing, p, 0.5, int2(0, 0), status);
    mapped += CheckAccessFullyMapped(status);
    sum += t2d.SampleGrad(linear_sampler, p, p * 0.1, p * 0.2, int2(0, 0), 1.5, status);
    mapped += CheckAccessFullyMapped(status);
    sum += t2d.GatherGreen(linear_sampler, p, int2(1, 0), status);
    mapped += CheckAccessFullyMapped(status);
    sum += t2d.GatherBlue(linear_sampler, p, (int2)id.xy, status);
    mapped += CheckAccessFullyMapped(status);
    sum += t2d.GatherCmpRed(comparing, p, 0.25, int2(0, 0), status);
    mapped += CheckAccessFullyMapped(status);
    sum += t2d.GatherCmpRed(comparing, p, 0.25, (int2)id.xy, status);
    mapped += CheckAccessFullyMapped(status);
    sum += t2d.Load(int3(id.xy, 1), int2(0, 0), status);
    mapped += CheckAccessFullyMapped(status);
    sum += ms.Load(id.xy, 1, int2(0, 0), status);
    mapped += CheckAccessFullyMapped(status);
    sum += stored.Load(id.xy, status);
    mapped += CheckAccessFullyMapped(status);
#else
    sum += t2d.SampleCmpLevelZero(comparing, p, 0.5);
    sum += t2d.GatherGreen(linear_sampler, p, int2(1, 0));
    sum += t2d.GatherBlue(linear_sampler, p, (int2)id.xy);
    sum += t2d.GatherCmpRed(comparing, p, 0.25);
    sum += t2d.GatherCmpRed(comparing, p, 0.25, (int2)id.xy);
    sum += stored[id.xy];
#endif
#endif
#if !defined(MODEL4) || MODEL4 > 0
    sum += t2d.Gather(linear_sampler, p);
    sum += cubes.SampleLevel(linear_sampler, float4(p, 1, id.x & 1), 0);
    sum += ms.Load(id.xy, 1) + msa.Load(id, 2);
    sum += ms.GetSamplePosition(id.x).xyxy;
    ms.GetDimensions(w, h, n);
    sum += float4(w, h, n, 1);
#endif
    sum += t2d.SampleCmpLevelZero(comparing, p, 0.5);
    sum += t1d.Load(int2(id.x, 0)) + t2da.Load(int4(id, 0)) + t3d.Load(int4(id, 0));
    sum += cube.SampleLevel(linear_sampler, float3(p, 1), 0);
    sum += integers.Load(int3(id.xy, 0));
    t2d.GetDimensions(id.x, w, h, n);
    sum += float4(w, h, n, 1);
    t3d.GetDimensions(w, h, d);
    sum += float4(w, h, d, 1);
    float fw, fh, fn;
    t2da.GetDimensions(0, fw, fh, fn, sum.w);
    sum += float4(fw, fh, fn, 1);
#ifndef MODEL4
    stored[id.xy] = sum.x;
    stored_array[id] = (uint4)sum;
    stored_1d[id.x] = sum;
    stored_3d[id] = sum;
#endif
    sum.w += mapped;
    result[8 * id.y + id.x] = sum;
}
