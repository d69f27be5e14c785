#include "CKernels.h"

// A block's row in planes of 32 and more.
typedef float part __attribute__((vector_size(16), aligned(4)));

void artwork_block_steps(const float *a, const float *b, int side, float weight, float steps[64]) {
  const int size = side / 8;
  const float share = weight / (float)(size * size);
  for (int block = 0; block < 64; block++) {
    const int corner = block / 8 * size * side + block % 8 * size;
    part sums = {0};
    for (int y = 0; y < size; y++) {
      for (int x = 0; x < size; x += 4) {
        const int at = corner + y * side + x;
        sums += __builtin_elementwise_abs(*(const part *)(a + at) - *(const part *)(b + at));
      }
    }
    steps[block] += (sums[0] + sums[1] + sums[2] + sums[3]) * share;
  }
}

// Sums in eight lanes: a single one would wait for itself.
artwork_spread_of_values artwork_mean_and_variance(const float *values, int count) {
  enum { LANES = 8 };
  artwork_spread_of_values found = {0, 0};
  for (int pass = 0; pass < 2; pass++) {
    double lanes[LANES] = {0};
    for (int start = 0; start < count; start += LANES) {
      for (int lane = 0; lane < LANES && start + lane < count; lane++) {
        const double value = values[start + lane] - found.mean;
        lanes[lane] += pass == 0 ? value : value * value;
      }
    }
    double sum = 0;
    for (int lane = 0; lane < LANES; lane++) sum += lanes[lane];
    if (pass == 0) found.mean = sum / count;
    else found.variance = sum / count;
  }
  return found;
}

void artwork_bytes(const float *values, int count, uint8_t *bytes) {
  for (int i = 0; i < count; i++) {
    const float value = values[i] > 0 ? values[i] : 0;
    bytes[i] = (uint8_t)(value < 255 ? value + 0.5f : 255);
  }
}
