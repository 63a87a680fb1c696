// Mixes sounds: each sample is the sum of all tracks' samples, each times the track's gain. Any
// number of tracks may be bound, of any lengths: an unbounded array in a separate register space
// (cs_5_1). Samples past the end of a track are 0.
StructuredBuffer<float> tracks[] : register(t0, space1);
StructuredBuffer<float> gains : register(t0);
RWStructuredBuffer<float> mixed : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint count, stride;
  gains.GetDimensions(count, stride);
  float sum = 0;
  for (uint i = 0; i < count; ++i)
    sum += tracks[i][id.x] * gains[i];
  mixed[id.x] = sum;
}
