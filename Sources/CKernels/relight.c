#include <stdlib.h>
#include <string.h>

#include "CKernels.h"
#include "processors.h"

// Sums up the fields in one row.
EACH_PROCESSOR
static void sum_fields(
    const artwork_field *fields, int field_count, int row, int width, float *restrict sums) {
  memset(sums, 0, (size_t)width * sizeof *sums);
  for (int index = 0; index < field_count; index++) {
    const artwork_field *field = &fields[index];
    const float weight = field->weight / 32767;
    if (weight == 0) continue;
    const int16_t *line = field->samples + (size_t)((row + field->top) % field->height) * (size_t)field->width;
    int from = field->left % field->width;
    for (int x = 0; x < width;) {
      const int run = field->width - from < width - x ? field->width - from : width - x;
      float *restrict target = sums + x;
      const int16_t *restrict source = line + from;
      for (int i = 0; i < run; i++) target[i] += weight * (float)source[i];
      x += run;
      from = 0;
    }
  }
}

// What rounds values of neighbours apart, so that slow changes of light make no contours, in 65ths. Whole numbers stay whole.
static const uint8_t thresholds[8][8] = {
    {0, 48, 12, 60, 3, 51, 15, 63},  {32, 16, 44, 28, 35, 19, 47, 31}, {8, 56, 4, 52, 11, 59, 7, 55},
    {40, 24, 36, 20, 43, 27, 39, 23}, {2, 50, 14, 62, 1, 49, 13, 61},  {34, 18, 46, 30, 33, 17, 45, 29},
    {10, 58, 6, 54, 9, 57, 5, 53},    {42, 26, 38, 22, 41, 25, 37, 21},
};

static inline uint8_t code(float value, float threshold) {
  const float sum = value + threshold;
  return sum <= 0 ? 0 : sum >= 255 ? 255 : (uint8_t)sum;
}

EACH_PROCESSOR
static void relight_row(
    const uint8_t *restrict pixels, const float *restrict change, const uint8_t limits[8], int width,
    uint8_t *restrict out) {
  for (int x = 0; x < width; x++) {
    const float m = change[x];
    // Rounding errors of the sum must not lower a whole number.
    const float threshold = (float)limits[x & 7] / 65 + 0.01f;
    for (int channel = 0; channel < 3; channel++) {
      const float value = (float)pixels[3 * x + channel];
      const float room = m > 0 ? 1 - value / 255 : 1;
      out[3 * x + channel] = code(value + m * value * room, threshold);
    }
  }
}

EACH_PROCESSOR
static void grain_row(
    const uint8_t *restrict pixels, const float *restrict change, int width, uint8_t *restrict out) {
  for (int x = 0; x < width; x++) {
    const float red = pixels[3 * x], green = pixels[3 * x + 1], blue = pixels[3 * x + 2];
    const float light = (0.2126f * red + 0.7152f * green + 0.0722f * blue) / 255;
    const float sum = 255 * change[x] * 4 * light * (1 - light);
    out[3 * x] = code(red + sum, 0.5f);
    out[3 * x + 1] = code(green + sum, 0.5f);
    out[3 * x + 2] = code(blue + sum, 0.5f);
  }
}

int artwork_relight(
    const uint8_t *pixels, int width, int height, const artwork_field *fields, int field_count, uint8_t *out) {
  float *sums = malloc((size_t)width * sizeof *sums);
  if (!sums) return 0;
  for (int row = 0; row < height; row++) {
    const size_t start = (size_t)row * (size_t)width * 3;
    sum_fields(fields, field_count, row, width, sums);
    relight_row(pixels + start, sums, thresholds[row & 7], width, out + start);
  }
  free(sums);
  return 1;
}

int artwork_add_grain(
    const uint8_t *pixels, int width, int height, const artwork_field *fields, int field_count, uint8_t *out) {
  float *sums = malloc((size_t)width * sizeof *sums);
  if (!sums) return 0;
  for (int row = 0; row < height; row++) {
    const size_t start = (size_t)row * (size_t)width * 3;
    sum_fields(fields, field_count, row, width, sums);
    grain_row(pixels + start, sums, width, out + start);
  }
  free(sums);
  return 1;
}
