// The inner loops of the measurements.
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

// Makes three planes of `count` samples from as many packed pixels of `channels` bytes: R, G, B, or R, G, B, A
// over black. Y', Cb and Cr by ITU-R BT.709 in 8 bits of limited range, to the nearest whole number.
void artwork_ycbcr(
    const uint8_t *pixels, int channels, size_t count, uint8_t *luma, uint8_t *blue, uint8_t *red);

enum {
  ARTWORK_LIGHT_SIDE = 16,  // cells each way
  ARTWORK_LIGHT_CELLS = ARTWORK_LIGHT_SIDE * ARTWORK_LIGHT_SIDE,
  ARTWORK_LIGHT_CODES = 1024,  // entries of a table from signals to light
};

// How reduced pictures become linear light. Code values are 8-bit ones.
typedef struct {
  float black, gain;                             // of luma: signal = (code - black) * gain
  float chroma_gain;                             // of chroma, around 128
  float red_v, green_u, green_v, blue_u;         // factors of the matrix
  float red_weight, green_weight, blue_weight;   // of relative luminance
  const float *light;  // of signals from 0 to 1 in ARTWORK_LIGHT_CODES steps, reference white is 1
} artwork_light_codes;

// Relative luminance and redness of ARTWORK_LIGHT_CELLS cells, from 64x64 luma and 32x32 chroma. Redness is the mean
// of 320 * (R - G - B) over pixels of which R is at least 0.8 of the sum; the others count for nothing.
void artwork_light(
    const float *luma, const float *blue, const float *red, const artwork_light_codes *codes,
    float *luminance, float *redness);

// One cell's way between peaks and valleys.
typedef struct {
  float low, high;     // since the last turn; what the value must leave to turn
  int8_t direction;    // 1 up, -1 down, 0 before the first turn
  int8_t is_counted;   // whether this way counts as a transition
  int8_t transition;   // the direction of the last one that counted
  double when;         // its time
} artwork_swing;

// Goes on to the next value of each cell. A way counts once it is `step` long, if its darker end is below `ceiling`.
// Returns how many began to count; `swings` starts as zeros with `low` and `high` at the first values.
int artwork_swing_step(
    artwork_swing *swings, const float *values, int count, float step, float ceiling, double time);

// The cells of a rectangle that went up and down at `time`, and those whose last transition was after `since`.
typedef struct {
  int up, down, recent_up, recent_down;
} artwork_swing_count;
artwork_swing_count artwork_swing_area(
    const artwork_swing *swings, int left, int top, int width, int height, double time, double since);

// How far a plane is `level` (within `tolerance`) from its top edge, or its bottom edge, inwards: for each column, the
// rows up to the first that differs are lowered into `runs`, which starts with the height. Stops at `limit` rows, or
// where nine tenths of the columns have ended. `row_bytes` may be negative.
void artwork_column_runs_8(
    const uint8_t *first_row, ptrdiff_t row_bytes, int width, int limit, int level, int tolerance, int32_t *runs);
void artwork_column_runs_16(
    const uint16_t *first_row, ptrdiff_t row_bytes, int width, int limit, int level, int tolerance, int32_t *runs);

// The same from the left or right edge (`step` 1 or -1 from `first_sample`) for each row.
void artwork_row_runs_8(
    const uint8_t *first_sample, ptrdiff_t row_bytes, int step, int height, int limit, int level, int tolerance,
    int32_t *runs);
void artwork_row_runs_16(
    const uint16_t *first_sample, ptrdiff_t row_bytes, int step, int height, int limit, int level, int tolerance,
    int32_t *runs);

// Mean and standard deviation of `count` samples, `step_bytes` apart.
typedef struct {
  float mean, deviation;
} artwork_line_statistics;
artwork_line_statistics artwork_line_8(const uint8_t *first, ptrdiff_t step_bytes, int count);
artwork_line_statistics artwork_line_16(const uint16_t *first, ptrdiff_t step_bytes, int count);

// The largest difference of the means of 16x16 cells of 64x64 luma, or of 32x32 chroma where that is larger.
float artwork_spread(const float *luma, const float *blue, const float *red);

enum { ARTWORK_SIGNATURE_SIDE = 24 };  // cells each way

// How alike two pictures are, from about 0 to 1: the best likeness of a part of one to the whole of the other, or the
// first that is found to be at least `enough`. Pictures are ARTWORK_SIGNATURE_SIDE rows of as many cells of red, green
// and blue; aspects are width over height, positive. docs/pairs.md has the method.
float artwork_likeness(
    const uint8_t *one, float aspect, const uint8_t *other, float other_aspect, double enough);

// How many of `count` samples are more than `distance` from `level`.
int artwork_far_8(const uint8_t *samples, int count, int level, int distance);
int artwork_far_16(const uint16_t *samples, int count, int level, int distance);

#endif
