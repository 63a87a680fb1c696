// Samples with a status: fxc adds a dword for an offset of 0, but not for cubes. fxc /T cs_5_1 /O3
Texture2D<float4> t;
Texture2DArray<float> ta;
TextureCube<float> tc;
Texture3D<float4> t3;
SamplerState s;
SamplerComparisonState c;
RWStructuredBuffer<float4> o;
[numthreads(1,1,1)] void main(uint3 i:SV_DispatchThreadID){
    uint st;
float4 r=t.SampleLevel(s,i.xy,1,int2(1,0),st);
o[1]=st+r;
r=t.SampleCmpLevelZero(c,i.xy,0.5,int2(3,0),st);
o[3]=CheckAccessFullyMapped(st)+r;
r=ta.SampleLevel(s,i,1,int2(0,0),st);
o[4]=r+st;
r=tc.SampleLevel(s,i,1,st);o[5]=r+st;
r=t3.SampleLevel(s,i,1,int3(0,0,0),st);o[6]=r+st;
r=tc.SampleCmpLevelZero(c,i,.5,st);o[7]=r+st;
r=t.SampleGrad(s,i.xy,1,1,int2(0,0),0.5,st);
o[8]=r+st;r=t.GatherRed(s,i.xy,int2(0,0),st);
o[9]=r+st;
r=t.Load(i,int2(0,0),st);
o[10]=r+st;
}
