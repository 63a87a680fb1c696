Texture2D<float4> tx[] : register(t2, space3); RWStructuredBuffer<float4> o[4] : register(u1, space1); SamplerState s[3];
struct K { float4 a; float b[3]; }; ConstantBuffer<K> cbs[5] : register(b4);
[numthreads(8,1,1)] void main(uint3 id:SV_DispatchThreadID){ o[id.y&3][id.x]=tx[NonUniformResourceIndex(id.x)].SampleLevel(s[id.z%3],0,0)+cbs[id.x%5].b[id.y%3]+cbs[2].a; }
