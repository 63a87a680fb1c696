// Compresses a picture to BC1: 8 bytes for each block of 4x4 texels, one thread per block. A block
// has two colours of 5:6:5 bits, and for each texel one of four steps on the line between them.
// The first line is the principal axis of the colours; least squares improve it, and the best of a
// few trials is kept. Blocks have four colours (color0 > color1) or one, and no transparent texels.
#define TRIALS 5
Texture2D<float4> image : register(t0);
RWTexture2D<uint2> blocks : register(u0);

static const float3 LEVELS = float3(31, 63, 31);

// Two codes that give the colour nearest to the mean, a third of the way from `low` to `high`.
void flat_ends(float3 mean, out float3 low, out float3 high) {
  float3 exact = mean * LEVELS;
  low = round(exact);
  high = clamp(low + round(3 * (exact - low)), 0, LEVELS);
}

// The direction in which the colours differ most: by repeated squaring, each column of their
// covariance matrix becomes the eigenvector of the largest eigenvalue.
float3 principal_axis(float3 offsets[16]) {
  float3x3 m = 0;
  [unroll] for (uint i = 0; i < 16; ++i)
    m += float3x3(offsets[i].x * offsets[i], offsets[i].y * offsets[i], offsets[i].z * offsets[i]);
  [unroll] for (uint n = 0; n < 4; ++n) {
    m /= max(m._11 + m._22 + m._33, 1e-12);
    m = mul(m, m);
  }
  float3 axis = m._11 > m._22 ? m[0] : m[1];
  axis = m._33 > max(m._11, m._22) ? m[2] : axis;
  return axis * rsqrt(max(dot(axis, axis), 1e-12));
}

uint code565(float3 ends) {
  uint3 code = (uint3)ends;
  return code.r << 11 | code.g << 5 | code.b;
}

// `steps` has two bits for each texel: its distance from `low` to `high` in thirds. BC1's codes
// begin with the larger colour: 0 is color0, 1 is color1, 2 and 3 are next to color0 and color1.
uint2 packed(float3 low, float3 high, uint steps) {
  uint low_code = code565(low), high_code = code565(high);
  uint upper = steps >> 1 & 0x55555555, lower = steps & 0x55555555;
  uint flip = high_code > low_code ? 0x55555555 : 0;
  uint indices = (upper ^ lower) << 1 | (upper ^ flip);
  uint colours = min(low_code, high_code) << 16 | max(low_code, high_code);
  return uint2(colours, low_code == high_code ? 0 : indices);
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  int2 size;
  image.GetDimensions(size.x, size.y);
  float3 offsets[16], mean = 0;  // the colours minus their mean
  uint i;
  // A block that reaches beyond the picture repeats the picture's last texels.
  [unroll] for (i = 0; i < 16; ++i) {
    offsets[i] = saturate(image[min(id.xy * 4 + int2(i % 4, i / 4), size - 1)].rgb);
    mean += offsets[i] / 16;
  }
  float spread = 0;
  [unroll] for (i = 0; i < 16; ++i) {
    offsets[i] -= mean;
    spread += dot(offsets[i], offsets[i]);
  }
  float3 axis = principal_axis(offsets);
  float2 reach = 0;
  [unroll] for (i = 0; i < 16; ++i) {
    float along = dot(offsets[i], axis);
    reach = float2(min(reach.x, along), max(reach.y, along));
  }

  float3 low, high, best_low, best_high;
  uint best_steps = 0;
  float best_error = 1e9;
  flat_ends(mean, low, high);
  [loop] for (uint trial = 0; trial < TRIALS; ++trial) {
    float3 start = low / LEVELS - mean, third = (high - low) / LEVELS / 3;
    float3 scaled = third / max(3 * dot(third, third), 1e-12);
    // Sums over the texels of the steps, of their squares and of their products with the offsets
    float sum = 0, squares = 0;
    float3 products = 0;
    uint steps = 0;
    [unroll] for (i = 0; i < 16; ++i) {
      float s = round(3 * saturate(dot(offsets[i] - start, scaled)));
      sum += s;
      squares += s * s;
      products += s * offsets[i];
      steps |= (uint)s << 2 * i;
    }
    // Minimises |offset - start - s * third|^2; the offsets themselves add up to 0
    float error = spread + 16 * dot(start, start) + squares * dot(third, third);
    error += 2 * (sum * dot(start, third) - dot(products, third));
    if (error < best_error) {
      best_low = low;
      best_high = high;
      best_steps = steps;
      best_error = error;
    }
    // The next line: first along the axis, then the regression of the offsets on their steps
    float3 slope = products / max(squares - sum * sum / 16, 1e-6);
    float3 from = trial == 0 ? axis * reach.x : -slope * sum / 16;
    float3 to = trial == 0 ? axis * reach.y : from + 3 * slope;
    low = round(saturate(mean + from) * LEVELS);
    high = round(saturate(mean + to) * LEVELS);
  }
  blocks[id.xy] = packed(best_low, best_high, best_steps);
}
