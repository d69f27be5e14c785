#include <stdlib.h>
#include <string.h>

#include "CKernels.h"
#include "ordered.h"
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

EACH_PROCESSOR
static void grain_row(
    const uint8_t *restrict pixels, const float *restrict change, int row, int width, uint8_t *restrict out) {
  (void)row;
  for (int x = 0; x < width; x++) {
    const float red = pixels[3 * x], green = pixels[3 * x + 1], blue = pixels[3 * x + 2];
    const float light = (0.2126f * red + 0.7152f * green + 0.0722f * blue) / 255;
    const float sum = 255 * change[x] * 4 * light * (1 - light);
    out[3 * x] = code(red + sum, 0.5f);
    out[3 * x + 1] = code(green + sum, 0.5f);
    out[3 * x + 2] = code(blue + sum, 0.5f);
  }
}

typedef void change_row(
    const uint8_t *restrict pixels, const float *restrict change, int row, int width, uint8_t *restrict out);

// Returns 0 where memory runs out.
static int change_rows(
    change_row *apply, const uint8_t *pixels, int width, int height, const artwork_field *fields, int field_count,
    uint8_t *out) {
  float *sums = malloc((size_t)width * sizeof *sums);
  if (!sums) return 0;
  for (int row = 0; row < height; row++) {
    const size_t start = (size_t)row * (size_t)width * 3;
    sum_fields(fields, field_count, row, width, sums);
    apply(pixels + start, sums, row, width, out + start);
  }
  free(sums);
  return 1;
}

int artwork_relight(
    const uint8_t *pixels, int width, int height, const artwork_field *fields, int field_count, uint8_t *out) {
  return change_rows(relight_row, pixels, width, height, fields, field_count, out);
}

int artwork_add_grain(
    const uint8_t *pixels, int width, int height, const artwork_field *fields, int field_count, uint8_t *out) {
  return change_rows(grain_row, pixels, width, height, fields, field_count, out);
}
