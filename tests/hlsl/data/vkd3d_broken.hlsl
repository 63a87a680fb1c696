
RWBuffer<uint> u : register(u0);

    [numthreads(1, 1, 1)]
void main()
{
    u[0] = undeclared;
}
