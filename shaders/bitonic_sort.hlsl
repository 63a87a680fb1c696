// One step of a bitonic sort of pairs (key, value) by ascending key, ties by ascending value.
// The host calls it for block = 2, 4, ... and distance = block / 2, ... 1; the number of pairs must
// be a power of two: pad with keys of 0xffffffff.
struct Pair { uint key; uint value; };
cbuffer Params : register(b0) { uint block; uint distance; };
RWStructuredBuffer<Pair> pairs : register(u0);

bool after(Pair a, Pair b) {
  return a.key > b.key || (a.key == b.key && a.value > b.value);
}

[numthreads(128, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint count, stride;
  pairs.GetDimensions(count, stride);
  uint low = 2 * id.x - (id.x & (distance - 1));
  uint high = low + distance;
  if (high >= count) return;
  Pair a = pairs[low], b = pairs[high];
  bool ascending = (low & block) == 0;
  if (after(a, b) == ascending) {
    pairs[low] = b;
    pairs[high] = a;
  }
}
