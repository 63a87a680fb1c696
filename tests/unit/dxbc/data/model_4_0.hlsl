struct P { float3 pos; float w; int2 k; };
cbuffer C : register(b2) { float4x3 m; row_major float2x4 rm; P parts[3]; bool flag; float d = 2.5; int2 arr[2]; };
Texture2D<float4> tex : register(t3); SamplerState smp; SamplerComparisonState sc; 
StructuredBuffer<P> inp; RWStructuredBuffer<P> o;
groupshared float4 sh[64];
[numthreads(64,1,1)] void main(uint3 id:SV_DispatchThreadID, uint gi:SV_GroupIndex){ 
 sh[gi]=tex.SampleLevel(smp,float2(id.xy),0); GroupMemoryBarrierWithGroupSync();
 P p = inp[id.x]; p.pos = mul(m, p.pos).xyz + parts[arr[id.x&1].x].pos*d + sh[gi^1].xyz+tex.Load(int3(id.xy,0),int2(1,-2)).xyz; p.w = flag? rm[0][1]:1; o[id.x]=p; }
