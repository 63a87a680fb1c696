// fxc -T cs_5_0 -E main
// What GetDimensions says of each kind of view: the bound range, to the element.
struct Cell { float2 position; uint id; };
StructuredBuffer<Cell> cells : register(t0);
ByteAddressBuffer bytes : register(t1);
Buffer<float4> texels : register(t2);
RWStructuredBuffer<uint> sizes : register(u0);
RWStructuredBuffer<Cell> cells_out : register(u1);
RWByteAddressBuffer bytes_out : register(u2);
RWBuffer<uint> texels_out : register(u3);
[numthreads(1, 1, 1)]
void main() {
  uint n, stride;
  cells.GetDimensions(n, stride);     sizes[0] = n;
  bytes.GetDimensions(n);             sizes[1] = n;
  texels.GetDimensions(n);            sizes[2] = n;
  cells_out.GetDimensions(n, stride); sizes[3] = n;
  bytes_out.GetDimensions(n);         sizes[4] = n;
  texels_out.GetDimensions(n);        sizes[5] = n;
}
