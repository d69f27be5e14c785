#include <string.h>

#include "CKernels.h"

// Where a part of a length starts and ends; never empty.
static int part_start(int part, int length, int parts) {
  return (int)((long long)part * length / parts);
}

static int part_end(int part, int length, int parts) {
  int start = part_start(part, length, parts), end = part_start(part + 1, length, parts);
  return end > start ? end : start + 1;
}

// Adds up the columns of some rows, then the columns of each cell: the inner loop runs along a whole row, whatever
// the cells, so that it is made of vectors.
#define BOX_AVERAGE(NAME, SAMPLE, SUM, MOST_ROWS)                                                   \
  void NAME(                                                                                        \
      const SAMPLE *plane, ptrdiff_t row_bytes, int width, int height, int side, float scale,       \
      uint32_t *totals, void *scratch, float *cells) {                                              \
    SUM *sums = scratch;                                                                            \
    for (int y = 0; y < side; y++) {                                                                \
      const int top = part_start(y, height, side), bottom = part_end(y, height, side);              \
      memset(totals, 0, (size_t)width * sizeof *totals);                                            \
      for (int row = top; row < bottom;) {                                                          \
        const int end = bottom - row > MOST_ROWS ? row + MOST_ROWS : bottom;                        \
        memset(sums, 0, (size_t)width * sizeof *sums);                                              \
        for (; row < end; row++) {                                                                  \
          const SAMPLE *samples = (const SAMPLE *)((const char *)plane + row * row_bytes);          \
          for (int x = 0; x < width; x++) sums[x] += samples[x];                                    \
        }                                                                                           \
        for (int x = 0; x < width; x++) totals[x] += sums[x];                                       \
      }                                                                                             \
      for (int cell = 0; cell < side; cell++) {                                                     \
        const int left = part_start(cell, width, side), right = part_end(cell, width, side);        \
        uint64_t sum = 0;                                                                           \
        for (int x = left; x < right; x++) sum += totals[x];                                        \
        cells[y * side + cell] =                                                                    \
            (float)sum / (float)((long long)(right - left) * (bottom - top)) * scale;               \
      }                                                                                             \
    }                                                                                               \
  }

// 257 rows of 255 fit into 16 bits, 65537 rows of 65535 into 32.
BOX_AVERAGE(artwork_box_average_8, uint8_t, uint16_t, 257)
BOX_AVERAGE(artwork_box_average_16, uint16_t, uint32_t, 65537)
