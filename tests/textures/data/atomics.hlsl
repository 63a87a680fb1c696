// Every atomic on one kind of UAV, each on a texel of its own, with and without its old value.
TEXTURE<TEXEL> target : register(u0);
StructuredBuffer<uint4> places : register(t0);
RWStructuredBuffer<TEXEL> old : register(u1);
[numthreads(1, 1, 1)]
void main(uint id : SV_GroupID) {
  TEXEL was[9];
  InterlockedAdd(target[places[0].AT], 5, was[0]);
  InterlockedMin(target[places[1].AT], -6, was[1]);
  InterlockedMax(target[places[2].AT], -7, was[2]);
  InterlockedAnd(target[places[3].AT], 0xf0f0, was[3]);
  InterlockedOr(target[places[4].AT], 0x0f0f, was[4]);
  InterlockedXor(target[places[5].AT], 0xffff, was[5]);
  InterlockedExchange(target[places[6].AT], 77, was[6]);
  InterlockedCompareExchange(target[places[7].AT], 1007, 88, was[7]);
  InterlockedCompareExchange(target[places[8].AT], 1, 99, was[8]);
  [unroll] for (uint i = 0; i < 9; ++i) old[i] = was[i];
  InterlockedAdd(target[places[9].AT], 5);
  InterlockedMin(target[places[10].AT], -6);
  InterlockedMax(target[places[11].AT], -7);
  InterlockedAnd(target[places[12].AT], 0xf0f0);
  InterlockedOr(target[places[13].AT], 0x0f0f);
  InterlockedXor(target[places[14].AT], 0xffff);
  InterlockedCompareStore(target[places[15].AT], 1015, 66);
}
