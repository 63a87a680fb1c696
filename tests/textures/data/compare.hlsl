// Comparisons with a reference: sampled in mip 0, gathered, gathered at offsets.
struct Place { float4 at; float reference; int2 offset; };
TEXTURE<float> source : register(t0);
StructuredBuffer<Place> places : register(t1);
SamplerComparisonState state : register(s0);
struct Seen { float sampled; float4 gathered; float4 moved; };
RWStructuredBuffer<Seen> seen : register(u0);
[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Place p = places[id];
  seen[id].sampled = source.SampleCmpLevelZero(state, p.at.AT, p.reference);
  seen[id].gathered = 0;
  seen[id].moved = 0;
#ifdef GATHERS
  seen[id].gathered = source.GatherCmp(state, p.at.AT, p.reference);
#endif
#ifdef OFFSETS
  seen[id].moved = source.GatherCmp(state, p.at.AT, p.reference, p.offset);
#endif
}
