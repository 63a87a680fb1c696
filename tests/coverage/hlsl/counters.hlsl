// Hidden counters: append, consume, increment and decrement.
struct Item { uint key; uint value; };
ConsumeStructuredBuffer<Item> taken : register(u0);
AppendStructuredBuffer<Item> given : register(u1);
RWStructuredBuffer<uint> tickets : register(u2);
RWStructuredBuffer<uint> returned : register(u3);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    Item item = taken.Consume();
    item.value *= 2;
    given.Append(item);
    tickets[tickets.IncrementCounter()] = id.x;
    if (id.x & 1)
        returned[id.x] = returned.DecrementCounter();
}
