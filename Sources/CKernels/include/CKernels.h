// The inner loops of the seam measurement.
//
// C and not Swift for the sake of debug builds: its vectors are vectors there, too, and a search that takes
// 0.1 ms would take a hundred times as long.
#ifndef ARTWORK_CKERNELS_H
#define ARTWORK_CKERNELS_H

#include <stddef.h>
#include <stdint.h>

enum {
  ARTWORK_MOTION_SIDE = 64,    // pixels each way
  ARTWORK_MOTION_BLOCK = 8,    // pixels each way of a block
  ARTWORK_MOTION_BLOCKS = 64,  // blocks in a picture, row by row
  ARTWORK_MOTION_REACH = 8,    // pixels each way that a block is searched
  ARTWORK_MOTION_STRIDE = ARTWORK_MOTION_SIDE + 2 * ARTWORK_MOTION_REACH,
  ARTWORK_MOTION_SCALE = 16,   // steps of a code value

  // A picture for the search: 8-bit code values times ARTWORK_MOTION_SCALE, its border repeated outwards.
  ARTWORK_MOTION_SAMPLES = ARTWORK_MOTION_STRIDE * ARTWORK_MOTION_STRIDE,
};

// Where the content of one block came from.
typedef struct {
  float dx, dy;  // pixels it moved, to the right and down, to fractions of a pixel
  float error;   // mean absolute difference to that place at whole pixels, in code values
} artwork_motion_vector;

// Fills `picture` from ARTWORK_MOTION_SIDE rows of as many luma values in 0...255.
void artwork_motion_prepare(const float *luma, int16_t *picture);

// For each block of `to`, finds the place in `from` that it looks most like. Searches every whole pixel
// within reach, nearer ones first where they are as good, and refines by a parabola.
void artwork_motion_search(
    const int16_t *from, const int16_t *to,
    artwork_motion_vector vectors[ARTWORK_MOTION_BLOCKS]);

// How each block of `next` differs from the place in `current` that it came from if it moved by `vectors`:
// mean absolute differences in code values. Vectors may not be longer than ARTWORK_MOTION_REACH either way.
void artwork_motion_misses(
    const int16_t *current, const int16_t *next,
    const artwork_motion_vector vectors[ARTWORK_MOTION_BLOCKS], float misses[ARTWORK_MOTION_BLOCKS]);

// Adds `weight` times the mean absolute difference of each of 8x8 blocks of two square planes to `steps`, row by
// row. `side` is 64 or 32.
void artwork_block_steps(const float *a, const float *b, int side, float weight, float steps[64]);

// Averages `side` by `side` cells of a plane of `width` by `height` samples, rows `row_bytes` apart (negative for
// pictures stored bottom-up), and multiplies them by `scale`. Cells are never empty: planes smaller than the grid
// repeat samples. `totals` and `scratch` have room for `width` numbers of 32 bits each.
void artwork_box_average_8(
    const uint8_t *plane, ptrdiff_t row_bytes, int width, int height, int side, float scale,
    uint32_t *totals, void *scratch, float *cells);
void artwork_box_average_16(
    const uint16_t *plane, ptrdiff_t row_bytes, int width, int height, int side, float scale,
    uint32_t *totals, void *scratch, float *cells);

#endif
