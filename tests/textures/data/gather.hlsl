// Four texels of one channel each; with PROGRAMMABLE at offsets that differ between threads.
struct Place { float4 at; int2 offset; };
TEXTURE<TEXEL> source : register(t0);
StructuredBuffer<Place> places : register(t1);
SamplerState state : register(s0);
struct Seen { TEXEL red; TEXEL green; TEXEL blue; TEXEL alpha; };
RWStructuredBuffer<Seen> seen : register(u0);
[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Place p = places[id];
#ifdef PROGRAMMABLE
  seen[id].red = source.GatherRed(state, p.at.AT, p.offset);
  seen[id].green = source.GatherGreen(state, p.at.AT, p.offset);
  seen[id].blue = source.GatherBlue(state, p.at.AT, int2(-3, 2));
  seen[id].alpha = source.GatherAlpha(state, p.at.AT, int2(1, 0));
#else
  seen[id].red = source.GatherRed(state, p.at.AT);
  seen[id].green = source.GatherGreen(state, p.at.AT);
  seen[id].blue = source.GatherBlue(state, p.at.AT);
  seen[id].alpha = source.GatherAlpha(state, p.at.AT);
#endif
}
