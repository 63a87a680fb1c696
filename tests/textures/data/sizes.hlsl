// GetDimensions of every dimension, at a mip from a buffer where there are mips.
Texture1D<float> one : register(t0);
Texture1DArray<float> ones : register(t1);
Texture2D<float> two : register(t2);
Texture2DArray<float> twos : register(t3);
Texture3D<float> three : register(t4);
TextureCube<float> cube : register(t5);
TextureCubeArray<float> cubes : register(t6);
StructuredBuffer<uint> mips : register(t7);
RWTexture1D<float> one_out : register(u1);
RWTexture1DArray<float> ones_out : register(u2);
RWTexture2D<float> two_out : register(u3);
RWTexture2DArray<float> twos_out : register(u4);
RWTexture3D<float> three_out : register(u5);
RWStructuredBuffer<uint4> sizes : register(u0);
[numthreads(1, 1, 1)]
void main(uint id : SV_GroupID) {
  uint m = mips[id];
  uint4 s[12] = (uint4[12])0;
  one.GetDimensions(m, s[0].x, s[0].w);
  ones.GetDimensions(m, s[1].x, s[1].y, s[1].w);
  two.GetDimensions(m, s[2].x, s[2].y, s[2].w);
  twos.GetDimensions(m, s[3].x, s[3].y, s[3].z, s[3].w);
  three.GetDimensions(m, s[4].x, s[4].y, s[4].z, s[4].w);
  cube.GetDimensions(m, s[5].x, s[5].y, s[5].w);
  cubes.GetDimensions(m, s[6].x, s[6].y, s[6].z, s[6].w);
  one_out.GetDimensions(s[7].x);
  ones_out.GetDimensions(s[8].x, s[8].y);
  two_out.GetDimensions(s[9].x, s[9].y);
  twos_out.GetDimensions(s[10].x, s[10].y, s[10].z);
  three_out.GetDimensions(s[11].x, s[11].y, s[11].z);
  [unroll] for (uint i = 0; i < 12; ++i) sizes[id * 12 + i] = s[i];
}
