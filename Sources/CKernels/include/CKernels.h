// The inner loops of the measurements and of the reduction of pictures.
//
// C and not Swift for the sake of debug builds: its vectors are vectors there, too, and a search that takes
// 0.1 ms would take a hundred times as long.
#ifndef ARTWORK_CKERNELS_H
#define ARTWORK_CKERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  ARTWORK_FLOW_SIDE = 128,  // pixels each way
  ARTWORK_FLOW_BLOCK = 8,   // pixels each way of a block
  ARTWORK_FLOW_ACROSS = ARTWORK_FLOW_SIDE / ARTWORK_FLOW_BLOCK,
  ARTWORK_FLOW_BLOCKS = ARTWORK_FLOW_ACROSS * ARTWORK_FLOW_ACROSS,  // row by row
  ARTWORK_FLOW_REACH = 8,   // pixels of the halved picture each way that a block is searched: an eighth of its side
  // Pixels around a picture, which repeat its border: the longest vector (17.75) at the fastest pace (1.25), and one for
  // the interpolation.
  ARTWORK_FLOW_MARGIN = 24,
  ARTWORK_FLOW_STRIDE = ARTWORK_FLOW_SIDE + 2 * ARTWORK_FLOW_MARGIN,
  ARTWORK_FLOW_HALF_PAIRS = (ARTWORK_FLOW_SIDE / 2 + 2 * ARTWORK_FLOW_REACH) * (ARTWORK_FLOW_SIDE / 2 + 2 * ARTWORK_FLOW_REACH),
};

// The cost of a vector for each pixel of its length at half the size, in squared code values, so that flat areas do
// not move.
#define ARTWORK_FLOW_DEARER 0.3f

// A pixel of a halved picture and its right neighbour.
typedef struct {
  int16_t left, right;
} artwork_flow_pair;

// A picture for the search of motion, in 8-bit code values.
typedef struct {
  float full[ARTWORK_FLOW_STRIDE * ARTWORK_FLOW_STRIDE];
  artwork_flow_pair half[ARTWORK_FLOW_HALF_PAIRS];  // in units and in an order of its own
} artwork_flow_picture;

// The position of a block's content in another picture, in pixels to the right and down from its own.
typedef struct {
  float dx, dy;
} artwork_flow_vector;

// Fills `picture` from ARTWORK_FLOW_SIDE rows of as many luma values.
void artwork_flow_prepare(const float *luma, artwork_flow_picture *picture);

// For each block of `current`, finds the best match in `reference`: every whole pixel of the halved pictures within
// reach, over windows twice as wide as the block, then to a quarter of a pixel. Takes 0.15 ms.
void artwork_flow_search(
    const artwork_flow_picture *current, const artwork_flow_picture *reference,
    artwork_flow_vector vectors[ARTWORK_FLOW_BLOCKS]);

// How badly `reference` predicts each block of `current` if it moves by `vectors` at `pace` (0.8 to 1.25): mean squared
// differences in code values. A block takes the best of its own vector, its neighbours', four at distance two, or none;
// one gain (0.8 to 1.25) and one offset of the whole picture are left out. Takes 0.05 ms.
void artwork_flow_predict(
    const artwork_flow_picture *current, const artwork_flow_picture *reference,
    const artwork_flow_vector vectors[ARTWORK_FLOW_BLOCKS], float pace, float errors[ARTWORK_FLOW_BLOCKS]);

// The mean squared difference of two frames in each block: of ARTWORK_FLOW_SIDE rows of luma, and half of that of each
// of two chroma planes of a quarter of the side.
typedef struct {
  const float *luma, *blue, *red;
} artwork_flow_planes;
void artwork_flow_change(artwork_flow_planes a, artwork_flow_planes b, float change[ARTWORK_FLOW_BLOCKS]);

// Adds `weight` times the mean absolute difference of each of 8x8 blocks of two square planes to `steps`, row by
// row. `side` is 64 or 32.
void artwork_block_steps(const float *a, const float *b, int side, float weight, float steps[64]);

// The mean of `count` values, and the mean of their squared differences from it.
typedef struct {
  double mean, variance;
} artwork_spread_of_values;
artwork_spread_of_values artwork_mean_and_variance(const float *values, int count);

// Rounds to 0...255; values outside are clamped, and NaN becomes 0.
void artwork_bytes(const float *values, int count, uint8_t *bytes);

// Averages `side` by `side` cells of a plane of `width` by `height` samples, rows `row_bytes` apart (negative for
// pictures stored bottom-up), and multiplies them by `scale`. Cells are of one size: a sample on an edge counts for both
// cells, by its shares. `totals` and `scratch` have room for `width` numbers of 32 bits each. The spans of columns are on the
// stack: `side` is at most some hundreds.
void artwork_box_average_8(
    const uint8_t *plane, ptrdiff_t row_bytes, int width, int height, int side, float scale, float *totals,
    void *scratch, float *cells);
void artwork_box_average_16(
    const uint16_t *plane, ptrdiff_t row_bytes, int width, int height, int side, float scale, float *totals,
    void *scratch, float *cells);

// The sum of the absolute differences of a row's samples from the means of the 3 by 3 samples around them, times nine,
// without the first and the last column. `rows` are the row above, the row, and the row below.
uint64_t artwork_unevenness_8(const uint8_t *const rows[3], int width);
uint64_t artwork_unevenness_16(const uint16_t *const rows[3], int width);

// Makes three planes of `count` samples from as many packed pixels of `channels` bytes: R, G, B, or R, G, B, A over
// black. Y', Cb and Cr by ITU-R BT.709 in 8 bits of limited range, to the nearest whole number.
void artwork_ycbcr(
    const uint8_t *pixels, int channels, size_t count, uint8_t *luma, uint8_t *blue, uint8_t *red);

// Makes `count` packed pixels of R, G, B from a row of each.
void artwork_interleave(
    const uint8_t *red, const uint8_t *green, const uint8_t *blue, size_t count, uint8_t *pixels);

// Undoes premultiplied alpha of `count` pixels in place: from numbers 0xAARRGGBB to 0xAABBGGRR with straight alpha, to the
// nearest whole number. A colour above its alpha becomes 255, one without alpha 0.
void artwork_straight(uint32_t *pixels, size_t count);

// Blends `count` pixels of R, G, B, A over a colour: R, G, B. Mixes code values, as browsers do. Returns whether the
// colour is visible anywhere.
int artwork_over(const uint8_t *pixels, size_t count, const uint8_t background[3], uint8_t *result);

enum {
  ARTWORK_LIGHT_SIDE = 16,  // cells each way
  ARTWORK_LIGHT_CELLS = ARTWORK_LIGHT_SIDE * ARTWORK_LIGHT_SIDE,
  ARTWORK_LIGHT_CODES = 1024,  // entries of a table from signals to light
};

// The conversion of reduced pictures to linear light. Code values are 8-bit ones.
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

// The largest difference of the means of 16x16 cells of 64x64 luma, or of 32x32 chroma if that is larger.
float artwork_spread(const float *luma, const float *blue, const float *red);

enum { ARTWORK_SIGNATURE_SIDE = 24 };  // cells each way

// How alike two pictures are, from about 0 to 1: the best likeness of a part of one to the whole of the other, or the
// first that is found to be at least `enough`; the quick way tries only the largest part in the middle. Pictures are ARTWORK_SIGNATURE_SIDE rows of as many cells of red, green
// and blue; aspects are width over height, positive. docs/measurements.md has the method.
float artwork_likeness(
    const uint8_t *one, float aspect, const uint8_t *other, float other_aspect, double enough,
    bool is_quick);

// How many of `count` samples are more than `distance` from `level`.
int artwork_far_8(const uint8_t *samples, int count, int level, int distance);
int artwork_far_16(const uint16_t *samples, int count, int level, int distance);

// Makes a smaller picture of `height` rows of `width` pixels, `channels` bytes each (3 or 4), without padding:
// Lanczos with three lobes, the same filter as libswscale's, in floating point. `out` has room for the pixels of the
// new size, which is no larger in either direction. Returns 0 if memory ran out.
int artwork_reduce(
    const uint8_t *pixels, int width, int height, int channels, int new_width, int new_height, uint8_t *out);

// A rectangle of a picture in pixels from its top left corner, with fractions.
typedef struct {
  double left, top, width, height;
} artwork_view_area;

// Draws a rectangle of a picture of R, G, B as `new_height` rows of `new_width` pixels, by the filter of
// `artwork_reduce`, which interpolates if the rectangle is enlarged. A rectangle of whole pixels in its own size is
// copied exactly. Returns 0 if memory ran out.
int artwork_view(
    const uint8_t *pixels, int width, int height, artwork_view_area area, int new_width, int new_height, uint8_t *out);

// Draws a warped picture of R, G, B at the same size. `nodes` has `side` rows (at least 2) of as many displacements,
// the outermost at the edges: the source position of the pixel relative to its own, interpolated linearly in between.
// By the filter of `artwork_reduce`, to a 256th of a pixel; exact if every vector is 0. Positions outside repeat the
// border. Returns 0 if memory ran out.
int artwork_warp(
    const uint8_t *pixels, int width, int height, const artwork_flow_vector *nodes, int side, uint8_t *out);

// Changes the light of a picture of R, G, B: by `m`, the weighted sum of `count` patterns of a sample for each pixel,
// -32767 to 32767, each divided by 32767. A value v from 0 to 1 becomes v + m v (1 - v) where it gets brighter, so that
// nothing is clipped, and v + m v where it gets darker by m = 0.2 or more, smoothly in between. If all weights are 0, no
// value changes. `out` may not overlap. Returns 0 if memory ran out.
int artwork_relight(
    const uint8_t *pixels, int width, int height, const int16_t *samples, const float *weights, int count, uint8_t *out);

// Pixels of one of 32x32x32 parts of the colour space, the sums of their channels, and the colour that has the majority
// there, if one has, with by how many pixels at least.
typedef struct {
  uint64_t count, sums[3], lead;
  uint8_t leader[3];
} artwork_palette_cell;

enum { ARTWORK_PALETTE_CELLS = 32768 };

// Counts `count` pixels of `channels` bytes (3 or 4) into ARTWORK_PALETTE_CELLS cells. Those with an alpha below 128 do not count.
void artwork_palette_count(const uint8_t *pixels, size_t count, int channels, artwork_palette_cell *cells);

// Chooses at most `most` colours (up to 256), R, G, B each: first those that cover much of the picture, whose number is
// `exact`, then by splitting the boxes of colours that differ most. Returns how many; -1 if memory ran out.
int artwork_palette_choose(const artwork_palette_cell *cells, int most, uint8_t *colors, int *exact);

typedef struct {
  const uint8_t *colors;  // R, G, B each
  int count;
  int exact;              // the first ones, which are not dithered
  int transparent;        // the index of pixels with an alpha below 128
} artwork_palette;

// Draws a picture in the colours of a palette: an index for each pixel. The dither pattern is fixed to the picture,
// so that still areas have the same pixels in every frame. `known` has 262144 numbers, initially zeros, and is kept
// for the next picture.
void artwork_palette_draw(
    const uint8_t *pixels, int width, int height, int channels, const artwork_palette *palette, uint16_t *known,
    uint8_t *out);

typedef struct {
  const artwork_palette *palette;
  const uint8_t *shown;  // the indices that the transparent one leaves; NULL if it leaves nothing
  double most;           // the largest squared distance of a near colour
} artwork_gif_loss;

// Packs `count` indices (at least one) as the image data of a GIF of 256 colours (GIF89a, appendix F): the code size, the
// blocks, and the empty one at the end. `out` has room for two bytes for each index and 64 more. Returns the bytes written.
// With `loss`, an index that would end a known sequence becomes one of a near colour that continues it.
size_t artwork_gif_pack(uint8_t *indices, size_t count, const artwork_gif_loss *loss, uint8_t *out);

enum { ARTWORK_BLOCK_SIDE = 16 };

// A block of a picture: the mean of each channel, the variance of the lightness, and the mean squared error of what is shown
// in its place.
typedef struct {
  float mean[3], variance, error;
} artwork_block;

// Measures the blocks of ARTWORK_BLOCK_SIDE pixels a side, row by row, of a picture of R, G and B.
void artwork_block_measure(
    const uint8_t *wanted, const uint8_t *shown, int width, int height, artwork_block *blocks);

#endif
