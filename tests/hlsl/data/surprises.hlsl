// What fxc makes of this without a word. A test compiles each entry function, and expects a warning
// at each of its lines with the word told.
RWStructuredBuffer<uint> values : register(u0);
RWStructuredBuffer<uint> sums : register(u1);
RWStructuredBuffer<uint> ids : register(u2);
StructuredBuffer<uint> given : register(t0);
cbuffer Params : register(b0) { uint mode; uint count; };
groupshared uint tile[64];

// --- barriers ---

[numthreads(64, 1, 1)]
void shared_memory(uint i : SV_GroupIndex) {
  tile[i] = given[i];
  DeviceMemoryBarrierWithGroupSync(); // told
  sums[i] = tile[i ^ 1];
}

[numthreads(64, 1, 1)]
void uav(uint i : SV_GroupIndex) {
  values[i] = given[i];
  GroupMemoryBarrierWithGroupSync(); // told
  sums[i] = values[i ^ 1];
}

[numthreads(64, 1, 1)]
void uav_before_shared_memory(uint i : SV_GroupIndex) {
  values[i] = given[i];
  GroupMemoryBarrierWithGroupSync(); // told
  tile[i] = values[i ^ 1];
  GroupMemoryBarrierWithGroupSync();
  sums[i] = tile[i ^ 1];
}

uint next_one(uint i) {
  values[i] = given[i];
  GroupMemoryBarrierWithGroupSync(); // told
  return values[i ^ 1];
}

[numthreads(64, 1, 1)]
void in_a_function(uint i : SV_GroupIndex) {
  sums[i] = next_one(i);
}

[numthreads(64, 1, 1)]
void in_a_loop(uint i : SV_GroupIndex) {
  for (uint k = 0; k < count; ++k) {
    sums[i] += values[i ^ k];
    GroupMemoryBarrierWithGroupSync(); // told
    values[i] = given[i + k];
  }
}

[numthreads(64, 1, 1)]
void kept_barriers(uint i : SV_GroupIndex) {
  tile[i] = given[i];
  GroupMemoryBarrierWithGroupSync();
  uint a = tile[i ^ 1];
  GroupMemoryBarrierWithGroupSync();
  tile[i] = a;
  AllMemoryBarrierWithGroupSync();
  values[i] = tile[i ^ 2];
  DeviceMemoryBarrierWithGroupSync();
  sums[i] = values[i ^ 1];
}

[numthreads(64, 1, 1)]
void needless_barriers(uint i : SV_GroupIndex) {
  GroupMemoryBarrierWithGroupSync();
  values[i] = given[i];
  GroupMemoryBarrierWithGroupSync();
  sums[i] = given[i ^ 1];
  GroupMemoryBarrierWithGroupSync();
}

[numthreads(64, 1, 1)]
void barriers_that_never_run(uint i : SV_GroupIndex) {
  values[i] = given[i];
  if (count != count)
    GroupMemoryBarrierWithGroupSync();
#ifdef ORDERED
  GroupMemoryBarrierWithGroupSync();
#endif
  if (false) {
    values[i] = 3;
    GroupMemoryBarrierWithGroupSync();
    sums[i] = values[i ^ 1];
  }
  sums[i] = values[i ^ 1];
  return;
  GroupMemoryBarrierWithGroupSync();
}

// --- switches ---

[numthreads(64, 1, 1)]
void one_case(uint3 id : SV_DispatchThreadID) {
  switch (id.x) { // told
    case 3:
      values[id.x] = 9;
      break;
  }
}

[numthreads(64, 1, 1)]
void one_case_of_four(uint3 id : SV_DispatchThreadID, uint i : SV_GroupIndex) {
  switch (i & 3) { // told
    case 2: {
      values[id.x] = given[id.x];
      break;
    }
  }
}

[numthreads(64, 1, 1)]
void kept_switches(uint3 id : SV_DispatchThreadID, uint3 here : SV_GroupThreadID) {
  switch (id.x) {
    case 3:
      values[id.x] = 9;
      break;
    default:
      break;
  }
  switch (mode) {
    case 3:
      values[id.x] += 1;
      break;
  }
  switch (id.x & 1) {
    case 0:
    case 1:
      sums[id.x] = 1;
      break;
  }
  switch (here.y) {
    case 0:
      ids[id.x] = 1;
      break;
  }
}

// --- loops ---

[numthreads(64, 1, 1)]
void cut_loop(uint3 id : SV_DispatchThreadID) {
  [unroll(3)] // told
  for (uint k = 0; k < 4; ++k) {
    values[4 * id.x + k] = given[id.x] * k;
  }
}

[numthreads(64, 1, 1)]
void whole_loops(uint3 id : SV_DispatchThreadID) {
  [unroll(4)]
  for (uint k = 0; k < 4; ++k) {
    values[4 * id.x + k] = given[id.x] * k;
  }
  [unroll(8)]
  for (uint n = 0; n <= 7; n++) {
    sums[8 * id.x + n] = given[id.x] + n;
  }
  [unroll(2)]
  for (uint m = 0; m < 8; m += 1) {
    ids[8 * id.x + m] = m;
    m += 3;
  }
}
