#include <stdlib.h>
#include <string.h>

#include "CKernels.h"
#include "ordered.h"
#include "processors.h"

// Sums up one row of the patterns.
EACH_PROCESSOR
static void sum_patterns(
    const int16_t *samples, size_t area, const float *weights, int count, int width, float *restrict sums) {
  memset(sums, 0, (size_t)width * sizeof *sums);
  for (int index = 0; index < count; index++) {
    const float weight = weights[index] / 32767;
    if (weight == 0) continue;
    const int16_t *restrict source = samples + (size_t)index * area;
    for (int x = 0; x < width; x++) sums[x] += weight * (float)source[x];
  }
}

static inline uint8_t code(float value, float threshold) {
  const float sum = value + threshold;
  return sum <= 0 ? 0 : sum >= 255 ? 255 : (uint8_t)sum;
}

EACH_PROCESSOR
static void relight_row(
    const uint8_t *restrict pixels, const float *restrict change, int row, int width, uint8_t *restrict out) {
  const uint8_t *limits = ordered_thresholds[row & 7];
  for (int x = 0; x < width; x++) {
    const float m = change[x];
    const float red = pixels[3 * x], green = pixels[3 * x + 1], blue = pixels[3 * x + 2];
    // Paper does not get dirty: shade fades out towards white.
    const float left = (240 - (0.2126f * red + 0.7152f * green + 0.0722f * blue)) / 60;
    const float fade = m > 0 || left > 1 ? 1 : left < 0 ? 0 : left;
    // Slow changes of light must not cause banding, and whole numbers do not change, even with the rounding errors of
    // a sum.
    const float threshold = (float)limits[x & 7] / 65 + 0.01f;
    for (int channel = 0; channel < 3; channel++) {
      const float value = (float)pixels[3 * x + channel];
      // From light to shade without a kink, which would be visible as a line in white areas.
      const float shade = m > 0 ? 0 : m < -0.2f ? 1 : -5 * m;
      const float room = (1 - value / 255 * (1 - shade * fade)) * fade;
      out[3 * x + channel] = code(value + m * value * room, threshold);
    }
  }
}

int artwork_relight(
    const uint8_t *pixels, int width, int height, const int16_t *samples, const float *weights, int count, uint8_t *out) {
  float *sums = malloc((size_t)width * sizeof *sums);
  if (!sums) return 0;
  for (int row = 0; row < height; row++) {
    const size_t start = (size_t)row * (size_t)width;
    sum_patterns(samples + start, (size_t)width * (size_t)height, weights, count, width, sums);
    relight_row(pixels + 3 * start, sums, row, width, out + 3 * start);
  }
  free(sums);
  return 1;
}
