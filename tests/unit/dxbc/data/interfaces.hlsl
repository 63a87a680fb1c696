interface IOp { float4 apply(float4 a); float4 other(float4 a); };
class Add : IOp { float k; float4 apply(float4 a){return a+k;} float4 other(float4 a){return a*a+k;} };
class Mul : IOp { float4 k; float4 apply(float4 a){return a*k;} float4 other(float4 a){return sin(a)+k;}};
IOp op; IOp ops[3];
cbuffer Inst { Add gAdd; Mul gMul; uint sel; };
RWStructuredBuffer<float4> o;
[numthreads(8,1,1)] void main(uint3 id:SV_DispatchThreadID){ float4 v = op.apply(o[id.x]); o[id.x]=op.other(v)+ops[sel].apply(v); }
