// Minimum, maximum and sum of 2048 values for each group; the host combines the groups' results, or
// runs the kernel again over these.
#define THREADS 256
#define PER_THREAD 8
cbuffer Params : register(b0) { uint count; };
struct Summary { int least; int greatest; int sum; };
StructuredBuffer<int> values : register(t0);
RWStructuredBuffer<Summary> summaries : register(u0);

groupshared Summary parts[THREADS];

Summary both(Summary a, Summary b) {
  Summary made;
  made.least = min(a.least, b.least);
  made.greatest = max(a.greatest, b.greatest);
  made.sum = a.sum + b.sum;
  return made;
}

[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
  Summary mine;
  mine.least = 0x7fffffff;
  mine.greatest = 0x80000000;
  mine.sum = 0;
  for (uint i = 0; i < PER_THREAD; ++i) {
    uint at = (group.x * PER_THREAD + i) * THREADS + lane;
    Summary one;
    one.least = one.greatest = one.sum = values[at];
    if (at < count) mine = both(mine, one);
  }
  parts[lane] = mine;
  GroupMemoryBarrierWithGroupSync();
  for (uint half = THREADS / 2; half != 0; half /= 2) {
    if (lane < half) parts[lane] = both(parts[lane], parts[lane + half]);
    GroupMemoryBarrierWithGroupSync();
  }
  if (lane == 0) summaries[group.x] = parts[0];
}
