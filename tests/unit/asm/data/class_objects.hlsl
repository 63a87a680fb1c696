interface IOp { float4 apply(float4 a, uint i); };
class TexA : IOp { Texture2D<float4> tex; SamplerState s; SamplerComparisonState c; StructuredBuffer<float4> b; float4 k; float4 apply(float4 a, uint i){ return tex.SampleLevel(s, a.xy, 0) * k + tex.Load(int3(i,0,0)) + b[i] + tex.GatherRed(s,a.xy)+ tex.SampleCmpLevelZero(c, a.zw, a.x); } };
IOp op; 
TexA gA[2];
RWStructuredBuffer<float4> o;
[numthreads(8,1,1)] void main(uint3 id:SV_DispatchThreadID){ float4 v = op.apply(o[id.x], id.x); o[id.x]=v; }
