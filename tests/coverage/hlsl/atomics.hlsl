// Atomics on raw and structured buffers, typed buffers and group-shared memory, with and without
// the old value. KIND chooses the target.
#define RAW 0
#define STRUCTURED 1
#define TYPED 2
#define SHARED 3
StructuredBuffer<uint> inputs : register(t0);
RWStructuredBuffer<uint> old : register(u1);
RWBuffer<int> signed_typed : register(u2);
groupshared uint shared_unsigned[16];
groupshared int shared_signed[4];
#if KIND == RAW
RWByteAddressBuffer target : register(u0);
#define DO(f, i, v) target.Interlocked##f(4 * (i), v)
#define DO_OLD(f, i, v, o) target.Interlocked##f(4 * (i), v, o)
#define DO_SIGNED(f, i, v) target.Interlocked##f(4 * (i) + 48, v)
#define DO_SIGNED_OLD(f, i, v, o) target.Interlocked##f(4 * (i) + 48, v, o)
#define COMPARE_STORE(i, c, v) target.InterlockedCompareStore(4 * (i), c, v)
#define COMPARE_EXCHANGE(i, c, v, o) target.InterlockedCompareExchange(4 * (i), c, v, o)
#else
#if KIND == STRUCTURED
struct Cells { uint u[12]; int s[4]; };
RWStructuredBuffer<Cells> target : register(u0);
#define AT(i) target[0].u[i]
#define SIGNED_AT(i) target[0].s[i]
#elif KIND == TYPED
RWBuffer<uint> target : register(u0);
#define AT(i) target[i]
#define SIGNED_AT(i) signed_typed[i]
#else
RWStructuredBuffer<uint> target : register(u0);
#define AT(i) shared_unsigned[i]
#define SIGNED_AT(i) shared_signed[i]
#endif
#define DO(f, i, v) Interlocked##f(AT(i), v)
#define DO_OLD(f, i, v, o) Interlocked##f(AT(i), v, o)
#define DO_SIGNED(f, i, v) Interlocked##f(SIGNED_AT(i), v)
#define DO_SIGNED_OLD(f, i, v, o) Interlocked##f(SIGNED_AT(i), v, o)
#define COMPARE_STORE(i, c, v) InterlockedCompareStore(AT(i), c, v)
#define COMPARE_EXCHANGE(i, c, v, o) InterlockedCompareExchange(AT(i), c, v, o)
#endif

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    uint x = inputs[id.x], o = 0;
    int so = 0;
#if KIND == SHARED
    shared_unsigned[lane] = target[lane];
    shared_unsigned[lane + 8] = target[lane + 8];
    if (lane < 4)
        shared_signed[lane] = (int)target[lane + 12];
    GroupMemoryBarrierWithGroupSync();
#endif
    DO(And, 0, x | 0xff);
    DO(Or, 1, x & 0xffff);
    DO(Xor, 2, x);
    DO(Add, 3, x);
    DO(Max, 4, x);
    DO(Min, 5, x);
    COMPARE_STORE(6, 77, id.x + 1000);
    DO_OLD(Add, 7, 1, o);
    old[16 * id.x] = o;
    DO_OLD(And, 8, ~(1u << lane), o);
    old[16 * id.x + 1] = o;
    DO_OLD(Or, 9, 1u << lane, o);
    old[16 * id.x + 2] = o;
    DO_OLD(Xor, 10, 1u << lane, o);
    old[16 * id.x + 3] = o;
    DO_OLD(Exchange, 11, id.x + 1, o);
    old[16 * id.x + 4] = o;
    DO_SIGNED(Max, 0, (int)x);
    DO_SIGNED(Min, 1, (int)x);
    DO_SIGNED_OLD(Max, 2, (int)x, so);
    old[16 * id.x + 5] = (uint)so;
    DO_SIGNED_OLD(Min, 3, (int)x, so);
    old[16 * id.x + 6] = (uint)so;
    DO_OLD(Max, 4, x, o);
    old[16 * id.x + 7] = o;
    DO_OLD(Min, 5, x, o);
    old[16 * id.x + 8] = o;
    COMPARE_EXCHANGE(6, 77, id.x + 2000, o);
    old[16 * id.x + 9] = o;
#if KIND == SHARED
    GroupMemoryBarrierWithGroupSync();
    target[lane] = shared_unsigned[lane];
    if (lane < 4)
    {
        target[lane + 8] = shared_unsigned[lane + 8];
        target[lane + 12] = (uint)shared_signed[lane];
    }
#endif
}
