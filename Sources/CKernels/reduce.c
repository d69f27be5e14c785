#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "CKernels.h"
#include "lanczos.h"
#include "processors.h"

// Which samples make up each sample of a shorter line, and how much each of them counts: the weights of one add up to 1.
typedef struct {
  int taps;        // weights of one sample
  int *first;      // of each sample
  float *weights;  // `taps` of each sample
} filter;

static void free_filter(filter *filter) {
  free(filter->first);
  free(filter->weights);
}

// For `wanted` samples, each `step` samples of a line of `length` wide, the first of which begins at `start`. A line that is
// enlarged is interpolated. Returns 0 when memory ran out.
static int make_filter(filter *filter, int length, double start, double step, int wanted) {
  const double scale = step > 1 ? step : 1;
  const int span = 2 * (int)ceil(LOBES * scale) + 1;
  const int taps = span < length ? span : length;
  filter->taps = taps;
  filter->first = malloc((size_t)wanted * sizeof *filter->first);
  filter->weights = malloc((size_t)wanted * (size_t)taps * sizeof *filter->weights);
  if (!filter->first || !filter->weights) return 0;
  for (int place = 0; place < wanted; place++) {
    const double center = start + (place + 0.5) * step - 0.5;
    int first = (int)ceil(center - LOBES * scale);
    if (first > length - taps) first = length - taps;
    if (first < 0) first = 0;
    float *weights = filter->weights + (size_t)place * (size_t)taps;
    double sum = 0;
    for (int tap = 0; tap < taps; tap++) sum += lanczos((first + tap - center) / scale);
    for (int tap = 0; tap < taps; tap++) {
      weights[tap] = (float)(lanczos((first + tap - center) / scale) / sum);
    }
    filter->first[place] = first;
  }
  return 1;
}

// One row of the reduced height, as wide as the picture: the inner loop runs along the row, so that it is made of vectors.
EACH_PROCESSOR
static void sum_rows(
    const uint8_t *pixels, size_t row_bytes, const filter *filter, int row, float *restrict sums) {
  memset(sums, 0, row_bytes * sizeof *sums);
  const uint8_t *top = pixels + (size_t)filter->first[row] * row_bytes;
  const float *weights = filter->weights + (size_t)row * (size_t)filter->taps;
  int tap = 0;
  for (; tap + 4 <= filter->taps; tap += 4) {
    const uint8_t *a = top + (size_t)tap * row_bytes, *b = a + row_bytes, *c = b + row_bytes, *d = c + row_bytes;
    const float wa = weights[tap], wb = weights[tap + 1], wc = weights[tap + 2], wd = weights[tap + 3];
    for (size_t i = 0; i < row_bytes; i++) {
      sums[i] += wa * (float)a[i] + wb * (float)b[i] + wc * (float)c[i] + wd * (float)d[i];
    }
  }
  for (; tap < filter->taps; tap++) {
    const uint8_t *samples = top + (size_t)tap * row_bytes;
    const float weight = weights[tap];
    for (size_t i = 0; i < row_bytes; i++) sums[i] += weight * (float)samples[i];
  }
}

// The four lanes are the channels of a pixel. For three channels the fourth lane belongs to the next pixel, and is
// dropped.
typedef float lanes __attribute__((vector_size(16)));

EACH_PROCESSOR
static void sum_columns(const float *sums, int channels, const filter *filter, int width, uint8_t *out) {
  for (int column = 0; column < width; column++) {
    const float *from = sums + (size_t)filter->first[column] * (size_t)channels;
    const float *weights = filter->weights + (size_t)column * (size_t)filter->taps;
    // Two sums, so that one does not wait for the other.
    lanes even = {0}, odd = {0};
    int tap = 0;
    for (; tap + 2 <= filter->taps; tap += 2) {
      lanes one, other;
      memcpy(&one, from + tap * channels, sizeof one);
      memcpy(&other, from + (tap + 1) * channels, sizeof other);
      even += one * weights[tap];
      odd += other * weights[tap + 1];
    }
    if (tap < filter->taps) {
      lanes one;
      memcpy(&one, from + tap * channels, sizeof one);
      even += one * weights[tap];
    }
    const lanes pixel = even + odd;
    for (int channel = 0; channel < channels; channel++) {
      const float value = pixel[channel] + 0.5f;
      out[column * channels + channel] = value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)value;
    }
  }
}

static int resample(
    const uint8_t *pixels, int width, int height, int channels, const artwork_view_area *area, int new_width,
    int new_height, uint8_t *out) {
  const size_t row_bytes = (size_t)width * (size_t)channels;
  filter rows = {0}, columns = {0};
  // Four lanes are read at the last pixel, too.
  float *sums = calloc(row_bytes + 4, sizeof *sums);
  const int is_ready = sums && make_filter(&rows, height, area->top, area->height / new_height, new_height) &&
                       make_filter(&columns, width, area->left, area->width / new_width, new_width);
  for (int row = 0; is_ready && row < new_height; row++) {
    sum_rows(pixels, row_bytes, &rows, row, sums);
    sum_columns(sums, channels, &columns, new_width, out + (size_t)row * (size_t)new_width * (size_t)channels);
  }
  free(sums);
  free_filter(&rows);
  free_filter(&columns);
  return is_ready;
}

int artwork_reduce(
    const uint8_t *pixels, int width, int height, int channels, int new_width, int new_height, uint8_t *out) {
  const artwork_view_area whole = {0, 0, width, height};
  return resample(pixels, width, height, channels, &whole, new_width, new_height, out);
}

int artwork_view(
    const uint8_t *pixels, int width, int height, artwork_view_area area, int new_width, int new_height, uint8_t *out) {
  return resample(pixels, width, height, 3, &area, new_width, new_height, out);
}
