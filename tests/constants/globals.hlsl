RWByteAddressBuffer written : register(u0);

float scale;
int3 steps;
float4 unused;

[numthreads(1, 1, 1)]
void main()
{
    written.Store4(0, uint4(asuint(scale), asuint(steps)));
}
