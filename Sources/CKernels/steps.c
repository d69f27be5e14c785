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
