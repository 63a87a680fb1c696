// Keeps the points inside a circle: appends them with their index, and counts the others.
cbuffer Params : register(b0) { float2 centre; float radius; uint count; };
struct Kept { float2 position; uint index; };
StructuredBuffer<float2> points : register(t0);
AppendStructuredBuffer<Kept> kept : register(u0);
RWStructuredBuffer<uint> dropped : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= count) return;
  float2 away = points[id.x] - centre;
  if (dot(away, away) > radius * radius) {
    dropped.IncrementCounter();
    return;
  }
  Kept item;
  item.position = points[id.x];
  item.index = id.x;
  kept.Append(item);
}
