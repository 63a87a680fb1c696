// Explicit level of detail, gradients, and, for what has offsets, an offset.
struct Place { float4 at; float lod; float3 ddx; float3 ddy; };
TEXTURE<float4> source : register(t0);
StructuredBuffer<Place> places : register(t1);
SamplerState state : register(s0);
struct Seen { float4 level; float4 gradients; float4 offset; };
RWStructuredBuffer<Seen> seen : register(u0);
[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Place p = places[id];
  seen[id].level = source.SampleLevel(state, p.at.AT, p.lod);
  seen[id].gradients = source.SampleGrad(state, p.at.AT, p.ddx.AXES, p.ddy.AXES);
#ifdef OFFSET
  seen[id].offset = source.SampleLevel(state, p.at.AT, p.lod, OFFSET);
#else
  seen[id].offset = 0;
#endif
}
