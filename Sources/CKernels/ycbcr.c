#include "CKernels.h"
#include "processors.h"

// Factors in parts of 65536. Those of chroma add up to nothing, so that grey stays grey.
enum {
  ROUND = 1 << 15,
  // 219 / 255 times 0.2126, 0.7152 and 0.0722 (ITU-R BT.709, 3.2).
  Y_RED = 11966, Y_GREEN = 40254, Y_BLUE = 4064,
  // 224 / 255 times (B - Y') / 1.8556 and (R - Y') / 1.5748 (BT.709, 3.3).
  CB_RED = -6596, CB_GREEN = -22189, CB_BLUE = 28785,
  CR_RED = 28785, CR_GREEN = -26145, CR_BLUE = -2640,
};

// `channels` is known where this is inlined, so that each form becomes a loop of vectors.
static inline __attribute__((always_inline)) void convert(
    const uint8_t *restrict pixels, const int channels, size_t count, uint8_t *restrict luma,
    uint8_t *restrict blue, uint8_t *restrict red) {
  for (size_t i = 0; i < count; i++) {
    int r = pixels[channels * i], g = pixels[channels * i + 1], b = pixels[channels * i + 2];
    if (channels == 4) {
      // A 255th, to the nearest whole number.
      const int alpha = pixels[4 * i + 3];
      r = r * alpha + 128;
      g = g * alpha + 128;
      b = b * alpha + 128;
      r = (r + (r >> 8)) >> 8;
      g = (g + (g >> 8)) >> 8;
      b = (b + (b >> 8)) >> 8;
    }
    // No sum leaves 0...255: Y' reaches 235, and chroma 16 to 240.
    luma[i] = (uint8_t)(((Y_RED * r + Y_GREEN * g + Y_BLUE * b + ROUND) >> 16) + 16);
    blue[i] = (uint8_t)(((CB_RED * r + CB_GREEN * g + CB_BLUE * b + ROUND) >> 16) + 128);
    red[i] = (uint8_t)(((CR_RED * r + CR_GREEN * g + CR_BLUE * b + ROUND) >> 16) + 128);
  }
}

EACH_PROCESSOR
void artwork_ycbcr(
    const uint8_t *restrict pixels, int channels, size_t count, uint8_t *restrict luma, uint8_t *restrict blue,
    uint8_t *restrict red) {
  if (channels == 4) {
    convert(pixels, 4, count, luma, blue, red);
  } else {
    convert(pixels, 3, count, luma, blue, red);
  }
}
