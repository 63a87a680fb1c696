struct Inner { float3 p; float w; };
struct S { double d; float f; };
struct T { float2 a; S s[2]; float3x2 m; row_major float3x2 r; Inner inner[2]; int n[3]; };
StructuredBuffer<T> t;
cbuffer P { float a; float3 b; float2 c; float2 d; float3 e; float f; float arr[3]; float g; float4x4 m; float3x3 n; row_major float2x3 o; Inner inner; Inner inners[2]; double dd; double3 d3; bool flag; uint3 u; int2 tail[2]; min16float h; min16uint hu; min16int2 hi; double3x2 dm; float3 v3[2]; float after; float2x2 ma[2]; float last;};
RWStructuredBuffer<float4> dst; RWStructuredBuffer<double3> dv; StructuredBuffer<float3> f3; StructuredBuffer<float2x3> f23; StructuredBuffer<int> ints; StructuredBuffer<bool2> bs; StructuredBuffer<min16float3> mins;
StructuredBuffer<S> ss;
[numthreads(8,2,1)] void main(uint3 id:SV_DispatchThreadID){
 T x=t[id.x]; float4 r = a+b.xyzz+c.x+d.x+e.x+f+arr[id.y%3]+g+m[id.x&3]+n[0].xyzz+o[1].xyzz+inner.w+inners[id.x&1].w+(float)dd+(float)d3.z+u.x+tail[id.x&1].y+h+hu+hi.y+(float)dm[0][1]+v3[id.x&1].z+after+ma[id.x&1][0][1]+last;
 if(flag) r+=x.a.x+(float)x.s[1].d+x.s[0].f+x.m[0][1]+x.r[1][0]+x.inner[id.x&1].w+x.n[id.x%3];
 dst[id.x]=r+f3[id.x].xyzz+f23[id.x][1].xyzz+ints[id.x]+bs[id.x].y+mins[id.x].z+(float)ss[id.x].d; dv[id.x]=d3*2; }
