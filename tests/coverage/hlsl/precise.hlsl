// `precise` results: nothing fused, nothing reordered.
StructuredBuffer<float4> inputs : register(t0);
RWStructuredBuffer<float4> outputs : register(u0);

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float4 x = inputs[id.x];
    precise float4 y = x * x.yzwx + x.zwxy;
    precise float z = (y.x + y.y) - y.x;
    outputs[id.x] = float4(y.xyz, z);
}
