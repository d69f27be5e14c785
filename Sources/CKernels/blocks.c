#include "CKernels.h"

static inline int lightness(const uint8_t *pixel) { return 2 * pixel[0] + 5 * pixel[1] + pixel[2]; }

void artwork_block_measure(
    const uint8_t *wanted, const uint8_t *shown, int width, int height, artwork_block *blocks) {
  enum { SIDE = ARTWORK_BLOCK_SIDE };
  for (int top = 0; top < height; top += SIDE) {
    for (int left = 0; left < width; left += SIDE, blocks++) {
      const int bottom = top + SIDE < height ? top + SIDE : height, right = left + SIDE < width ? left + SIDE : width;
      int64_t sums[3] = {0}, light = 0, squares = 0, errors = 0;
      for (int y = top; y < bottom; y++) {
        const size_t row = ((size_t)y * (size_t)width + (size_t)left) * 3;
        const uint8_t *pixel = wanted + row, *other = shown + row;
        for (int x = left; x < right; x++, pixel += 3, other += 3) {
          const int level = lightness(pixel), error = level - lightness(other);
          for (int channel = 0; channel < 3; channel++) sums[channel] += pixel[channel];
          light += level;
          squares += level * level;
          errors += error * error;
        }
      }
      const float count = (float)((bottom - top) * (right - left)), mean = (float)light / count;
      // A lightness is eight times a level.
      blocks->error = (float)errors / count / 64;
      blocks->variance = ((float)squares / count - mean * mean) / 64;
      for (int channel = 0; channel < 3; channel++) blocks->mean[channel] = (float)sums[channel] / count;
    }
  }
}
