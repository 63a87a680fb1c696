// Ranges of resources (cs_5_1): PICK is how one is named.
Texture2D<float4> images[4] : register(t2, space1);
Texture2D<float4> more : register(t6, space1);
SamplerState states[2] : register(s1);
RWTexture2D<uint> targets[3] : register(u1, space2);
StructuredBuffer<float4> lists[3] : register(t0);
Buffer<uint> texels[2] : register(t9);
RWStructuredBuffer<float4> seen : register(u0);
cbuffer Params : register(b0) { uint uniform_index; };
struct Factor { float4 factor; };
ConstantBuffer<Factor> factors[2] : register(b2);
[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
#ifdef IMAGES
  seen[id * 2] = images[PICK].Load(int3(1, 0, 0)) + more.Load(int3(0, 0, 0));
  seen[id * 2 + 1] = images[PICK].SampleLevel(states[(PICK) & 1], float2(1.25, 0.5), 0);
#endif
#ifdef TARGETS
  targets[PICK][uint2(id, 0)] = 100 + id;
#endif
#ifdef LISTS
  seen[id] = lists[PICK][id].x * factors[(PICK) & 1].factor;
#endif
#ifdef TEXELS
  seen[id] = texels[PICK][id];
#endif
}
