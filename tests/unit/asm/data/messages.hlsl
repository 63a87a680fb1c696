// Messages with every form of argument: printed by fxc, with and without numbers.
cbuffer Params : register(b0)
{
    float4 scale;
    int4 counts;
    double2 wide;
};
RWByteAddressBuffer o : register(u0);
static const int table[4] = { 1, 5, 7, 2 };

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex)
{
    printf("");
    printf("iiii");
    printf("constants %d %f", 7, 1.5);
    errorf("a \"quoted\" word, 100%%\n\ta tab\r, \\ and // no comment: %x", id.y);
    printf("%g %e %5.2f %08X %i %c %o %p", scale.x, -scale.y, abs(scale.z), -abs(scale.w),
           counts.x, counts.y, -counts.z, counts.w);
    printf("%lf %lf %lf", wide.x, -wide.y, 2.5L);
    printf("%d %d", table[index & 3], o.Load(id.x * 4));
    for (uint i = 0; i < id.x; i++)
    {
        if (o.Load(i * 4) == 9)
            abort();
        printf("round %u", i);
    }
    printf("half %f", (min16float)scale.x);
    o.Store(0, 1);
}
