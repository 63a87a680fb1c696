// Accesses to an array of buffers, three elements apart, one row of the table for each group:
// a load, and of UAVs an atomic addition and a store to the elements after it; the view's size.
struct Row { uint view; uint at; uint value; uint unused; };
struct Found { uint loaded; uint old; uint size; };

StructuredBuffer<Row> rows : register(t0);
RWStructuredBuffer<Found> found : register(u0);
#ifdef UAV
VIEW views[COUNT] : register(u1, space1);
#else
VIEW views[COUNT] : register(t1, space1);
#endif

#ifdef RAW
#define AT(n) views[n]
uint load(VIEW view, uint at) { return view.Load(4 * at); }
uint size(VIEW view) { uint bytes; view.GetDimensions(bytes); return bytes / 4; }
#ifdef UAV
uint add(VIEW view, uint at, uint value) { uint old; view.InterlockedAdd(4 * at, value, old); return old; }
void store(VIEW view, uint at, uint value) { view.Store(4 * at, value); }
#endif
#else
#ifdef STRUCTURED
#define MEMBER .z
uint size(VIEW view) { uint count, stride; view.GetDimensions(count, stride); return count; }
#else
#define MEMBER
uint size(VIEW view) { uint count; view.GetDimensions(count); return count; }
#endif
uint load(VIEW view, uint at) { return view[at] MEMBER; }
#ifdef UAV
uint add(VIEW view, uint at, uint value) { uint old; InterlockedAdd(view[at] MEMBER, value, old); return old; }
void store(VIEW view, uint at, uint value) { view[at] MEMBER = value; }
#endif
#endif

void access(VIEW view, Row row, uint n)
{
    Found result = (Found)0;
    result.loaded = load(view, row.at);
#ifdef UAV
    result.old = add(view, row.at + 1, row.value);
    store(view, row.at + 2, row.value);
#endif
    result.size = size(view);
    found[n] = result;
}

[numthreads(1, 1, 1)]
void main(uint3 group : SV_GroupID)
{
    Row row = rows[group.x];
#ifdef CONSTANT
    [unroll] for (uint n = 0; n < CONSTANT; n++)
        if (row.view == n) access(views[n], row, group.x);
#elif defined(DIVERGENT)
    access(views[NonUniformResourceIndex(row.view)], row, group.x);
#else
    access(views[row.view], row, group.x);
#endif
}
