#include <math.h>
#include <stdlib.h>

#include "CKernels.h"

// Whether any of `count` samples is outside of low...high.
#define DIFFERS(NAME, SAMPLE)                                                                        \
  static int NAME(const SAMPLE *samples, int count, SAMPLE low, SAMPLE high) {                       \
    SAMPLE any = 0;                                                                                  \
    for (int x = 0; x < count; x++) any |= (SAMPLE)((samples[x] < low) | (samples[x] > high));       \
    return any;                                                                                      \
  }

// Rows in the outer loop, so that the inner ones run along memory and are made of vectors. Most rows of a bar end
// nothing.
#define COLUMN_RUNS(NAME, DIFFERS_IN, SAMPLE, MOST)                                                  \
  void NAME(                                                                                         \
      const SAMPLE *first_row, ptrdiff_t row_bytes, int width, int limit, int level, int tolerance,  \
      int32_t *runs) {                                                                               \
    const SAMPLE low = (SAMPLE)(level > tolerance ? level - tolerance : 0);                          \
    const SAMPLE high = (SAMPLE)(level + tolerance < MOST ? level + tolerance : MOST);               \
    for (int y = 0; y < limit; y++) {                                                                \
      const SAMPLE *samples = (const SAMPLE *)((const char *)first_row + y * row_bytes);             \
      if (!DIFFERS_IN(samples, width, low, high)) continue;                                          \
      int going_on = 0;                                                                              \
      for (int x = 0; x < width; x++) {                                                              \
        if (samples[x] < low || samples[x] > high) runs[x] = runs[x] < y ? runs[x] : y;              \
        going_on += runs[x] > y;                                                                     \
      }                                                                                              \
      if (going_on * 10 < width) return;                                                             \
    }                                                                                                \
  }

#define ROW_RUNS(NAME, DIFFERS_IN, SAMPLE, MOST)                                                     \
  void NAME(                                                                                         \
      const SAMPLE *first_sample, ptrdiff_t row_bytes, int step, int height, int limit, int level,   \
      int tolerance, int32_t *runs) {                                                                \
    enum { AT_ONCE = 32 };                                                                           \
    const SAMPLE low = (SAMPLE)(level > tolerance ? level - tolerance : 0);                          \
    const SAMPLE high = (SAMPLE)(level + tolerance < MOST ? level + tolerance : MOST);               \
    for (int y = 0; y < height; y++) {                                                               \
      const SAMPLE *samples = (const SAMPLE *)((const char *)first_sample + y * row_bytes);          \
      const int most = runs[y] < limit ? runs[y] : limit;                                            \
      int x = 0;                                                                                     \
      while (x + AT_ONCE <= most                                                                     \
             && !DIFFERS_IN(samples + (step > 0 ? x : -(x + AT_ONCE - 1)), AT_ONCE, low, high))      \
        x += AT_ONCE;                                                                                \
      while (x < most && samples[x * step] >= low && samples[x * step] <= high) x++;                 \
      if (x < most) runs[y] = x;                                                                     \
    }                                                                                                \
  }

DIFFERS(differs_8, uint8_t)
DIFFERS(differs_16, uint16_t)
COLUMN_RUNS(artwork_column_runs_8, differs_8, uint8_t, UINT8_MAX)
COLUMN_RUNS(artwork_column_runs_16, differs_16, uint16_t, UINT16_MAX)
ROW_RUNS(artwork_row_runs_8, differs_8, uint8_t, UINT8_MAX)
ROW_RUNS(artwork_row_runs_16, differs_16, uint16_t, UINT16_MAX)

#define LINE(NAME, SAMPLE)                                                              \
  artwork_line_statistics NAME(const SAMPLE *first, ptrdiff_t step_bytes, int count) {  \
    int64_t sum = 0, squares = 0;                                                       \
    for (int i = 0; i < count; i++) {                                                   \
      const int64_t sample = *(const SAMPLE *)((const char *)first + i * step_bytes);   \
      sum += sample;                                                                    \
      squares += sample * sample;                                                       \
    }                                                                                   \
    const double mean = (double)sum / count;                                            \
    const double variance = (double)squares / count - mean * mean;                      \
    artwork_line_statistics line = {(float)mean, (float)sqrt(fmax(0, variance))};       \
    return line;                                                                        \
  }

LINE(artwork_line_8, uint8_t)
LINE(artwork_line_16, uint16_t)

#define FAR(NAME, SAMPLE)                                                       \
  int NAME(const SAMPLE *samples, int count, int level, int distance) {         \
    int far = 0;                                                                \
    for (int i = 0; i < count; i++) far += abs((int32_t)samples[i] - level) > distance; \
    return far;                                                                 \
  }

FAR(artwork_far_8, uint8_t)
FAR(artwork_far_16, uint16_t)
