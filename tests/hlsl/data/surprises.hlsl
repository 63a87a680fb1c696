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

// --- nothing to tell ---

void wait_for_all() { AllMemoryBarrierWithGroupSync(); }

[numthreads(64, 1, 1)]
void waits_in_a_function(uint i : SV_GroupIndex) {
  values[i] = mode;
  GroupMemoryBarrierWithGroupSync();
  wait_for_all();
  sums[i] = values[i ^ 1];
}

[numthreads(64, 1, 1)]
void other_arm(uint i : SV_GroupIndex) {
  if (mode) {
    values[i] = 1;
    GroupMemoryBarrierWithGroupSync();
    sums[i] = 7;
  } else {
    sums[i] = values[i ^ 1];
  }
}

[numthreads(64, 1, 1)]
void waits_in_the_loop(uint i : SV_GroupIndex) {
  uint v = given[i];
  for (uint k = 0; k < count; ++k) {
    tile[i] = v + k;
    DeviceMemoryBarrierWithGroupSync();
    v = given[k];
    GroupMemoryBarrierWithGroupSync();
    v += tile[(i + k) & 63];
    GroupMemoryBarrierWithGroupSync();
  }
  sums[i] = v;
}

[numthreads(64, 1, 1)]
void assigned_selector(uint3 id : SV_DispatchThreadID) {
  uint at = id.x;
  id.x = 3;
  switch (id.x) {
    case 3:
      values[at] = 9;
      break;
  }
}

[numthreads(64, 1, 1)]
void whole_loops_in_other_words(uint3 id : SV_DispatchThreadID) {
  [unroll(8)]
  for (uint k = 0; k < 010; ++k) {
    values[8 * id.x + k] = given[k];
  }
  [unroll(4)]
  for (uint n = 0; n < 8; ++n) {
    sums[8 * id.x + n] = given[n];
    n.x += 1;
  }
}
