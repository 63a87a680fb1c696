// Classes whose members are buffers: the object's place says which registers to read.
interface Source { float4 read(uint at); };
class Pair : Source
{
    StructuredBuffer<float4> left;
    StructuredBuffer<float4> right;
    float4 scale;
    float4 read(uint at) { return left[at] * scale + right[at]; }
};
class Bytes : Source
{
    ByteAddressBuffer words;
    float4 read(uint at) { return asfloat(words.Load4(16 * at)); }
};
class Constant : Source
{
    float4 value;
    float4 read(uint at) { return value; }
};
Source source;
Source sources[2];
cbuffer Objects : register(b0) { Pair first; Pair many[2]; Constant constant; Bytes bytes; uint chosen; };
RWStructuredBuffer<float4> values : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    values[id.x] = source.read(id.x) + sources[chosen].read(id.x);
}
