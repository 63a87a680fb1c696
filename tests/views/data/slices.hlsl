// One access to a 3D UAV for each group, or to one of an array of them: what is loaded, what an
// atomic addition to the texel on its right returns, and the UAV's size; the texel after is stored.
struct Row { uint view; uint3 at; };
struct Found { uint loaded; uint old; uint3 size; };

StructuredBuffer<Row> rows : register(t0);
RWStructuredBuffer<Found> found : register(u0);
#ifdef COUNT
RWTexture3D<uint> views[COUNT] : register(u1);
#else
RWTexture3D<TEXEL> view : register(u1);
#endif

#ifdef LOADS
void access(RWTexture3D<uint> view, Row row, uint n)
{
    Found result = (Found)0;
    result.loaded = view[row.at];
    InterlockedAdd(view[row.at + uint3(1, 0, 0)], 1000 + n, result.old);
    view[row.at + uint3(2, 0, 0)] = 2000 + n;
    view.GetDimensions(result.size.x, result.size.y, result.size.z);
    found[n] = result;
}
#endif

[numthreads(1, 1, 1)]
void main(uint3 group : SV_GroupID)
{
    uint n = group.x;
    Row row = rows[n];
#ifdef COUNT
    [unroll] for (uint i = 0; i < COUNT; i++)
        if (row.view == i) access(views[i], row, n);
#elif defined(LOADS)
    access(view, row, n);
#else
    Found result = (Found)0;
    view[row.at] = (TEXEL)(n & 1 ? 1.0 : 0.25);
    view.GetDimensions(result.size.x, result.size.y, result.size.z);
    found[n] = result;
#endif
}
