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

// (255 * value + alpha / 2) / alpha: both are whole numbers below 2^17, so the quotient of floats rounds down to the right one.
static inline uint32_t straight(uint32_t value, uint32_t alpha) {
  const uint32_t result = (uint32_t)(int32_t)((float)(int32_t)(255 * value + alpha / 2) / (float)(int32_t)alpha);
  return result < 255 ? result : 255;
}

EACH_PROCESSOR
void artwork_straight(uint32_t *pixels, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t pixel = pixels[i], alpha = pixel >> 24, divisor = alpha ? alpha : 1;
    const uint32_t red = straight(pixel >> 16 & 255, divisor);
    const uint32_t green = straight(pixel >> 8 & 255, divisor);
    const uint32_t blue = straight(pixel & 255, divisor);
    const uint32_t result = alpha << 24 | blue << 16 | green << 8 | red;
    pixels[i] = alpha ? result : 0;
  }
}
