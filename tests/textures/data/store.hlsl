// Stores a texel at coordinates from a buffer; with LOADS adds what was there.
TEXTURE<TEXEL> target : register(u0);
StructuredBuffer<uint4> places : register(t0);
StructuredBuffer<VALUE> values : register(t1);
[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint4 place = places[id];
#ifdef LOADS
  target[place.AT] = values[id] + target[place.AT];
#else
  target[place.AT] = values[id];
#endif
}
