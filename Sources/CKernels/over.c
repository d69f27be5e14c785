#include "CKernels.h"

int artwork_over(const uint8_t *pixels, size_t count, const uint8_t background[3], uint8_t *result) {
  int shows = 0;
  for (size_t i = 0; i < count; i++, pixels += 4, result += 3) {
    const unsigned alpha = pixels[3], rest = 255 - alpha;
    shows |= rest != 0;
    for (int channel = 0; channel < 3; channel++) {
      result[channel] = (uint8_t)((pixels[channel] * alpha + background[channel] * rest + 127) / 255);
    }
  }
  return shows;
}
