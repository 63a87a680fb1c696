// One pass of a stable radix sort, by 4 bits of the keys: `count` counts each digit in each block of
// 256 pairs, `scan` computes the first index for each digit and block, `scatter` moves the pairs.
#define BLOCK 256
#define DIGITS 16

cbuffer Digit : register(b0) { uint count_of_pairs; uint shift; };
struct Pair { uint key; uint value; };
StructuredBuffer<Pair> pairs : register(t0);
StructuredBuffer<uint> begins : register(t1);
RWStructuredBuffer<uint> counts : register(u0);  // all blocks of digit 0, then those of digit 1 ...
RWStructuredBuffer<Pair> sorted : register(u1);

groupshared uint members[DIGITS][BLOCK / 32];  // a bit for each of the block's pairs
groupshared uint sums[BLOCK];

uint digit_of(Pair pair) { return pair.key >> shift & (DIGITS - 1); }

uint blocks() { return (count_of_pairs + BLOCK - 1) / BLOCK; }

// For each digit, a bit for each of the block's pairs that has it.
void find_members(uint index, uint digit, uint thread) {
  if (thread < DIGITS * BLOCK / 32) members[thread / (BLOCK / 32)][thread % (BLOCK / 32)] = 0;
  GroupMemoryBarrierWithGroupSync();
  if (index < count_of_pairs) InterlockedOr(members[digit][thread / 32], 1u << (thread % 32));
  GroupMemoryBarrierWithGroupSync();
}

[numthreads(BLOCK, 1, 1)]
void count(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  find_members(id.x, digit_of(pairs[id.x]), thread);
  if (thread >= DIGITS) return;
  uint sum = 0;
  for (uint word = 0; word < BLOCK / 32; word++) sum += countbits(members[thread][word]);
  counts[thread * blocks() + group.x] = sum;
}

// One group: the exclusive prefix sums of all counts, in place. Each thread sums consecutive counts.
[numthreads(BLOCK, 1, 1)]
void scan(uint thread : SV_GroupIndex) {
  uint total = blocks() * DIGITS, run = (total + BLOCK - 1) / BLOCK;
  uint first = thread * run, end = min(first + run, total), i;
  uint sum = 0;
  for (i = first; i < end; i++) sum += counts[i];
  sums[thread] = sum;
  GroupMemoryBarrierWithGroupSync();
  for (uint distance = 1; distance < BLOCK; distance *= 2) {
    uint before = thread >= distance ? sums[thread - distance] : 0;
    GroupMemoryBarrierWithGroupSync();
    sums[thread] += before;
    GroupMemoryBarrierWithGroupSync();
  }
  sum = sums[thread] - sum;
  for (i = first; i < end; i++) {
    uint next = sum + counts[i];
    counts[i] = sum;
    sum = next;
  }
}

[numthreads(BLOCK, 1, 1)]
void scatter(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  Pair pair = pairs[id.x];
  uint digit = digit_of(pair);
  find_members(id.x, digit, thread);
  if (id.x >= count_of_pairs) return;
  uint word = thread / 32;
  uint place = begins[digit * blocks() + group.x];
  place += countbits(members[digit][word] & ((1u << (thread % 32)) - 1));
  for (uint i = 0; i < word; i++) place += countbits(members[digit][i]);
  sorted[place] = pair;
}
