// One texel a thread, at coordinates from a buffer; TEXTURE, TEXEL, AT, SAMPLE and OFFSET choose.
TEXTURE<TEXEL> source : register(t0);
StructuredBuffer<int4> places : register(t1);
RWStructuredBuffer<TEXEL> seen : register(u0);
[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  int4 place = places[id];
#ifdef SAMPLE
  seen[id] = source.Load(place.AT, place.w);
#elif defined(OFFSET)
  seen[id] = source.Load(place.AT, OFFSET);
#else
  seen[id] = source.Load(place.AT);
#endif
}
