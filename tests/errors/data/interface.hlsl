// Dynamic linkage: the class behind the interface is chosen when the shader is bound.
interface Weight { float of(float x); };
class Half : Weight { float of(float x) { return x * 0.5; } };
class Square : Weight { float of(float x) { return x * x; } };
Weight weight;
RWStructuredBuffer<float> values : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) { values[id.x] = weight.of(values[id.x]); }
