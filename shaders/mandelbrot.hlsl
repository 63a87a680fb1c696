// The number of iterations until |z| > 2 for each pixel of a picture, and the last z.
cbuffer Params : register(b0) { float2 corner; float step; uint limit; uint width; uint height; };
struct Pixel { uint iterations; float2 z; };
RWStructuredBuffer<Pixel> picture : register(u0);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x >= width || id.y >= height) return;
  precise float2 c = corner + step * (float2)id.xy;
  precise float2 z = 0;
  uint n = 0;
  [loop] for (; n < limit; ++n) {
    precise float xx = z.x * z.x;
    precise float yy = z.y * z.y;
    if (xx + yy > 4) break;
    precise float xy = z.x * z.y;
    z = float2(xx - yy + c.x, xy + xy + c.y);
  }
  Pixel result;
  result.iterations = n;
  result.z = z;
  picture[id.y * width + id.x] = result;
}
