interface IOp { float4 apply(float4 a); };
interface IOther { uint pick(uint a); uint more(uint a, uint b); };
class A : IOp { float4 k; float4 apply(float4 a){ return a * k; } };
class B : IOp { float4 k[3]; uint n; float4 apply(float4 a){ return a + k[n]; } };
class C : IOther { uint s; uint pick(uint a){ return a^s; } uint more(uint a, uint b){return a+b*s;} };
class D : IOther { uint2 s; uint pick(uint a){ return a|s.y; } uint more(uint a, uint b){return a-b*s.x;} };
class E : A { float4 z; float4 apply(float4 a){ return a - k * z; } };
IOp one; IOther two[2]; IOp three[4];
cbuffer P : register(b3) { A a1; B b1[2]; uint sel; };
cbuffer Q : register(b1) { C c1; D d1; E e1; A a2[3]; };
RWStructuredBuffer<float4> o;
[numthreads(8,1,1)] void main(uint3 id:SV_DispatchThreadID){ float4 v = one.apply(o[id.x]); uint i = two[0].pick(id.x) + two[sel].more(id.x, 3); o[id.x]=v+three[sel].apply(v); }
