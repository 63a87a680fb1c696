interface IOp { float4 apply(float4 a, uint i); };
class C0 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 0; } };
class C1 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 1; } };
class C2 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 2; } };
class C3 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 3; } };
class C4 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 4; } };
class C5 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 5; } };
class C6 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 6; } };
class C7 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 7; } };
class C8 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 8; } };
class C9 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 9; } };
class C10 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 10; } };
class C11 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 11; } };
class C12 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 12; } };
class C13 : IOp { float4 k; float4 apply(float4 a, uint i){ return a * k + 13; } };

class TexOnly : IOp { Texture2D<float4> tex[2]; float4 apply(float4 a, uint i){ return tex[0].Load(int3(i,0,0)) + tex[1].Load(int3(i,0,0)); } };
class Empty : IOp { float4 apply(float4 a, uint i){ return a*i; } };
class BothALongClassNameThatIsLongerThanTheColumnOfTheTable : IOp { SamplerState s; Texture2D<float4> tex; float4 k; float4 apply(float4 a, uint i){ return tex.SampleLevel(s, a.xy, 0) + k; } };
IOp op; IOp ops[120];
cbuffer Inst { C0 g0; C1 g1; C2 g2; C3 g3; C4 g4; C5 g5; C6 g6; C7 g7; C8 g8; C9 g9; C10 g10; C11 g11; C12 g12; C13 g13; Empty gEmpty; BothALongClassNameThatIsLongerThanTheColumnOfTheTable anInstanceWithAVeryLongNameIndeedLongerThanTheColumn; uint sel; };
TexOnly gT; 
RWStructuredBuffer<float4> o;
[numthreads(8,1,1)] void main(uint3 id:SV_DispatchThreadID){ float4 v = op.apply(o[id.x], id.x); o[id.x]=v+ops[sel].apply(v,id.x); }
