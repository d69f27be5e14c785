#include "CKernels.h"

// Factors in parts of 65536. Those of chroma add up to nothing, so that grey stays grey.
enum {
  ROUND = 1 << 15,
  // 219 / 255 times 0.2126, 0.7152 and 0.0722 (ITU-R BT.709, 3.2).
  Y_RED = 11966, Y_GREEN = 40254, Y_BLUE = 4064,
  // 224 / 255 times (B - Y') / 1.8556 and (R - Y') / 1.5748 (BT.709, 3.3).
  CB_RED = -6596, CB_GREEN = -22189, CB_BLUE = 28785,
  CR_RED = 28785, CR_GREEN = -26145, CR_BLUE = -2640,
};

void artwork_ycbcr(
    const uint8_t *pixels, int channels, size_t count, uint8_t *luma, uint8_t *blue, uint8_t *red) {
  for (size_t i = 0; i < count; i++, pixels += channels) {
    int r = pixels[0], g = pixels[1], b = pixels[2];
    if (channels == 4) {
      const int alpha = pixels[3];
      r = (r * alpha + 127) / 255;
      g = (g * alpha + 127) / 255;
      b = (b * alpha + 127) / 255;
    }
    // No sum leaves 0...255: Y' reaches 235, and chroma 16 to 240.
    luma[i] = (uint8_t)(((Y_RED * r + Y_GREEN * g + Y_BLUE * b + ROUND) >> 16) + 16);
    blue[i] = (uint8_t)(((CB_RED * r + CB_GREEN * g + CB_BLUE * b + ROUND) >> 16) + 128);
    red[i] = (uint8_t)(((CR_RED * r + CR_GREEN * g + CR_BLUE * b + ROUND) >> 16) + 128);
  }
}
