#include <string.h>

#include "CKernels.h"
#include "processors.h"

// A part of a length: the first sample and the one past the last that it touches, and how much of these two counts.
typedef struct {
  int first, end;
  float first_share, last_share;
} span;

// Where a part begins: whole samples, and what is left of them in units of one over the number of parts.
typedef struct {
  int whole, rest;
} place;

// The part that begins at `start`, which becomes the start of the next one. Divides nothing that is long to divide: there are
// as many parts as cells.
static inline span next_span(place *start, place length, int parts) {
  place end = {start->whole + length.whole, start->rest + length.rest};
  if (end.rest >= parts) {
    end.whole++;
    end.rest -= parts;
  }
  span span = {start->whole, end.whole + (end.rest > 0), 0, 0};
  span.first_share = 1 - (float)start->rest / (float)parts;
  span.last_share = end.rest ? (float)end.rest / (float)parts : 1;
  // Within one sample, both edges cut off a part of it.
  if (span.end == span.first + 1) span.first_share += span.last_share - 1;
  *start = end;
  return span;
}

// Adds up the columns of some rows, then the columns of each cell: the inner loop runs along a whole row, whatever
// the cells, so that it is made of vectors.
#define BOX_AVERAGE(NAME, SAMPLE, SUM, MOST_ROWS)                                                     \
  static const SAMPLE *NAME##_row(const SAMPLE *plane, ptrdiff_t row_bytes, int row) {                \
    return (const SAMPLE *)((const char *)plane + row * row_bytes);                                   \
  }                                                                                                   \
                                                                                                      \
  EACH_PROCESSOR void NAME(                                                                           \
      const SAMPLE *plane, ptrdiff_t row_bytes, int width, int height, int side, float scale,         \
      float *totals, void *scratch, float *cells) {                                                   \
    SUM *sums = scratch;                                                                              \
    const float area = (float)width * (float)height / ((float)side * (float)side);                    \
    const place across = {width / side, width % side}, down = {height / side, height % side};         \
    place top_edge = {0, 0}, left_edge = {0, 0};                                                      \
    span columns_of[side];                                                                            \
    for (int cell = 0; cell < side; cell++) columns_of[cell] = next_span(&left_edge, across, side);   \
    for (int y = 0; y < side; y++) {                                                                  \
      const span rows = next_span(&top_edge, down, side);                                             \
      const SAMPLE *top = NAME##_row(plane, row_bytes, rows.first);                                   \
      for (int x = 0; x < width; x++) totals[x] = rows.first_share * (float)top[x];                   \
      for (int row = rows.first + 1; row < rows.end - 1;) {                                           \
        const int end = rows.end - 1 - row > MOST_ROWS ? row + MOST_ROWS : rows.end - 1;              \
        memset(sums, 0, (size_t)width * sizeof *sums);                                                \
        for (; row < end; row++) {                                                                    \
          const SAMPLE *samples = NAME##_row(plane, row_bytes, row);                                  \
          for (int x = 0; x < width; x++) sums[x] += samples[x];                                      \
        }                                                                                             \
        for (int x = 0; x < width; x++) totals[x] += (float)sums[x];                                  \
      }                                                                                               \
      if (rows.end > rows.first + 1) {                                                                \
        const SAMPLE *bottom = NAME##_row(plane, row_bytes, rows.end - 1);                            \
        for (int x = 0; x < width; x++) totals[x] += rows.last_share * (float)bottom[x];              \
      }                                                                                               \
      for (int cell = 0; cell < side; cell++) {                                                       \
        const span columns = columns_of[cell];                                                        \
        double sum = columns.first_share * totals[columns.first];                                     \
        for (int x = columns.first + 1; x < columns.end - 1; x++) sum += totals[x];                   \
        if (columns.end > columns.first + 1) sum += columns.last_share * totals[columns.end - 1];     \
        cells[y * side + cell] = (float)sum / area * scale;                                           \
      }                                                                                               \
    }                                                                                                 \
  }

// 257 rows of 255 fit into 16 bits, 65537 rows of 65535 into 32.
BOX_AVERAGE(artwork_box_average_8, uint8_t, uint16_t, 257)
BOX_AVERAGE(artwork_box_average_16, uint16_t, uint32_t, 65537)
