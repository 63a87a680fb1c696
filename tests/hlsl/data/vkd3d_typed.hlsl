
Buffer<float4> given : register(t0);
RWBuffer<float> u : register(u0);

    [numthreads(1, 1, 1)]
void main()
{
    u[0] = given[0].z;
}
