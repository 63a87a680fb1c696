RWTexture2D<float4> t; RWBuffer<uint> b;
[numthreads(8,1,1)] void typed4(uint3 id:SV_DispatchThreadID){ b[id.x]=(uint)t[id.xy].y; }
RWBuffer<uint> many[9];
[numthreads(8,1,1)] void nine(uint3 id:SV_DispatchThreadID){ [unroll] for(uint i=0;i<9;i++) many[i][id.x]=id.x; }
RWBuffer<uint> hi : register(u9);
[numthreads(8,1,1)] void high(uint3 id:SV_DispatchThreadID){ hi[id.x]=id.x; }
RWBuffer<float> f;
[numthreads(8,1,1)] void minp(uint3 id:SV_DispatchThreadID){ min16float x=f[id.x]; f[id.x]=x*x+(min16float)1; }
[numthreads(8,1,1)] void msad(uint3 id:SV_DispatchThreadID){ b[id.x]=msad4(b[id.x],uint2(b[1],b[2]),uint4(1,2,3,b[4])).x; }
RWStructuredBuffer<double> d;
[numthreads(8,1,1)] void ddiv(uint3 id:SV_DispatchThreadID){ d[id.x]=d[id.x]/d[1]; }
[numthreads(8,1,1)] void dtoi(uint3 id:SV_DispatchThreadID){ b[id.x]=(uint)d[id.x]; }
Texture2D<float4> tex; SamplerState s;
[numthreads(8,1,1)] void tiled(uint3 id:SV_DispatchThreadID){ uint st; float4 v=tex.SampleLevel(s,float2(id.xy),0,int2(0,0),st); b[id.x]=CheckAccessFullyMapped(st)?(uint)v.x:7; }
[numthreads(8,1,1)] void tiled2(uint3 id:SV_DispatchThreadID){ uint st; float4 v=tex.Load(int3(id.xy,0),int2(1,1),st); float4 w=tex.GatherRed(s,float2(id.xy),int2(1,2),st); b[id.x]=CheckAccessFullyMapped(st)?(uint)(v.x+w.z):7; }
[numthreads(8,1,1)] void gather(uint3 id:SV_DispatchThreadID){ float4 w=tex.GatherGreen(s,float2(id.xy),int2(id.yz)); b[id.x]=(uint)(w.z+w.x); }
Texture2DMS<float4> ms;
[numthreads(8,1,1)] void mss(uint3 id:SV_DispatchThreadID){ uint w,h,n; ms.GetDimensions(w,h,n); b[id.x]=(uint)(ms.Load(id.xy,id.z).x+ms.GetSamplePosition(id.z).x)+w+n; }
globallycoherent RWStructuredBuffer<uint> gc;
[numthreads(8,1,1)] void ctr(uint3 id:SV_DispatchThreadID){ uint i=gc.IncrementCounter(); gc[i]=id.x; precise float q=asfloat(gc[1])*2+1; gc[i+1]=asuint(q); }
static const float4 tab[5]={float4(1,2,3,4),float4(5,6,7,8),float4(1,1,1,1),float4(2,2,2,2),float4(3,3,3,3)};
[numthreads(8,1,1)] void icb(uint3 id:SV_DispatchThreadID){ float loc[6]; for(uint j=0;j<6;j++) loc[(j*id.y)%6]=j; f[id.x]=tab[id.x%5].y+loc[id.x%6]+abs(-f[id.z]); }
