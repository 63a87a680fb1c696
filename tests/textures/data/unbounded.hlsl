// Arrays without a length: as many as are bound.
Texture2D<float> images[] : register(t0, space1);
StructuredBuffer<uint> lists[] : register(t0, space2);
RWStructuredBuffer<float> seen : register(u0);
RWStructuredBuffer<uint> counted[] : register(u0, space3);
[numthreads(1, 1, 1)]
void main(uint id : SV_GroupID) {
#ifdef IMAGES
  seen[0] = images[0].Load(int3(0, 0, 0));
  seen[1] = images[2].Load(int3(0, 0, 0));
  seen[2] = images[5].Load(int3(0, 0, 0));
#else
  seen[id] = lists[id][0];
  counted[id][counted[id].IncrementCounter()] = 7 + id;
#endif
}
