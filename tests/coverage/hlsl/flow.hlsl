// Every form of control flow: if, loops with break and continue, switches, early returns.
struct Row { uint chosen, looped, nested, switched, fell, called, predicated, returned; };
StructuredBuffer<uint> inputs : register(t0);
RWStructuredBuffer<Row> rows : register(u0);
cbuffer Limits : register(b0) { uint rounds; uint threads; };

uint sum_to(uint n)
{
    uint total = 0;
    for (uint i = 1; i <= n; i++)
        total += i;
    return total;
}

uint by_call(uint x)
{
    uint value = x;
    [call] switch (x & 3)
    {
    case 0: value = sum_to(x & 15); break;
    case 1: value = x * 3; break;
    case 2: value = sum_to(x & 7) + 100; break;
    default: value = x ^ 0x55; break;
    }
    return value;
}

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint x = inputs[id.x], i, j;
    Row row = (Row)0;
    [branch] if (x & 1)
        row.chosen = sum_to(x & 15);
    else if (x & 2)
        row.chosen = 1000 + x;

    [loop] for (i = 0; i < rounds; i++)
    {
        [branch] if ((x >> i) & 1)
            continue;
        row.looped += i * i;
        [branch] if (row.looped > 300)
            break;
    }

    i = 0;
    [loop] while (true)
    {
        i++;
        [branch] if (i > (x & 7) + 2)
            break;
        [loop] for (j = 0; j < 6; j++)
        {
            if (j == (x & 3)) continue;
            row.nested += i + j;
            [branch] if (row.nested > 60)
            {
                row.nested -= 7;
                break;
            }
        }
        if (i == 3) continue;
        row.nested += 100;
    }

    [loop] do
    {
        [forcecase] switch ((x >> 2) & 7)
        {
        case 0:
        case 5: row.switched = 50; break;
        case 1: row.switched = sum_to(x & 3); break;
        case 3:
            [branch] if (x & 1) break;
            row.switched = 33;
            break;
        case 7: row.switched = x; break;
        default: row.switched = 999; break;
        }
        row.fell += row.switched;
        x += 4;
    } while (row.fell < 900 && row.fell);

    row.called = by_call(x);
    row.predicated = (x > 40 && rounds > 3) || (x & 8) ? 11 : 22;
    rows[id.x] = row;
    [branch] if (id.x + 2 >= threads)
        return;
    rows[id.x].returned = sum_to(id.x);
}
