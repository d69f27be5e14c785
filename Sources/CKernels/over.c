#include "CKernels.h"
#include "processors.h"

// (value * alpha + under * (255 - alpha)) / 255, to the nearest whole number: no sum leaves 16 bits.
static inline uint8_t mixed(uint8_t value, uint8_t under, uint8_t alpha) {
  const uint16_t sum = (uint16_t)(value * alpha + under * (255 - alpha) + 128);
  return (uint8_t)((uint16_t)(sum + (sum >> 8)) >> 8);
}

EACH_PROCESSOR
int artwork_over(
    const uint8_t *restrict pixels, size_t count, const uint8_t background[3], uint8_t *restrict result) {
  const uint8_t red = background[0], green = background[1], blue = background[2];
  uint8_t common = 255;
  for (size_t i = 0; i < count; i++) {
    const uint8_t alpha = pixels[4 * i + 3];
    common &= alpha;
    result[3 * i] = mixed(pixels[4 * i], red, alpha);
    result[3 * i + 1] = mixed(pixels[4 * i + 1], green, alpha);
    result[3 * i + 2] = mixed(pixels[4 * i + 2], blue, alpha);
  }
  return common != 255;
}
