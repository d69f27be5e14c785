#include "CKernels.h"
#include "processors.h"

EACH_PROCESSOR
void artwork_interleave(
    const uint8_t *restrict red, const uint8_t *restrict green, const uint8_t *restrict blue, size_t count,
    uint8_t *restrict pixels) {
  for (size_t i = 0; i < count; i++) {
    pixels[3 * i] = red[i];
    pixels[3 * i + 1] = green[i];
    pixels[3 * i + 2] = blue[i];
  }
}
