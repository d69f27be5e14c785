#include "CKernels.h"
#include "processors.h"

#include <math.h>
#include <string.h>

#define WITHIN static inline __attribute__((always_inline))

enum {
  SIDE = ARTWORK_FLOW_SIDE,
  BLOCK = ARTWORK_FLOW_BLOCK,
  ACROSS = ARTWORK_FLOW_ACROSS,
  MARGIN = ARTWORK_FLOW_MARGIN,
  STRIDE = ARTWORK_FLOW_STRIDE,
  // The search for whole vectors runs at half the size, where a block is HALF_BLOCK wide.
  HALF = SIDE / 2,
  HALF_BLOCK = BLOCK / 2,
  REACH = ARTWORK_FLOW_REACH,
  // Pairs of neighbouring pixels by the column of the first, modulo the width of a block: one lane for each block. Two lanes
  // on either side hold what lies outside of the picture.
  PHASES = HALF_BLOCK,
  OUTSIDE = REACH / PHASES,
  LANES = ACROSS + 2 * OUTSIDE,
  HALF_ROW = PHASES * LANES,
  // Values of the halved picture in units of 1/8: the squares of a window fit into 32 bits.
  FRACTIONS = 8,
};

_Static_assert(ARTWORK_FLOW_HALF_PAIRS == (HALF + 2 * REACH) * HALF_ROW, "the size of the half picture");

// Eight samples, wherever they start.
typedef float lanes __attribute__((vector_size(32), aligned(4)));
// Eight whole numbers, and as many pairs of short ones.
typedef int32_t sums __attribute__((vector_size(32), aligned(4)));
typedef int16_t pairs __attribute__((vector_size(32), aligned(4)));

static int within(int place, int length) {
  return place < 0 ? 0 : place >= length ? length - 1 : place;
}

void artwork_flow_prepare(const float *luma, artwork_flow_picture *picture) {
  for (int y = 0; y < STRIDE; y++) {
    const float *row = luma + within(y - MARGIN, SIDE) * SIDE;
    float *to = picture->full + y * STRIDE;
    for (int x = 0; x < MARGIN; x++) to[x] = row[0], to[MARGIN + SIDE + x] = row[SIDE - 1];
    memcpy(to + MARGIN, row, SIDE * sizeof *to);
  }
  for (int y = 0; y < HALF + 2 * REACH; y++) {
    const float *row = luma + 2 * within(y - REACH, HALF) * SIDE;
    // With what lies outside, and one more for the last pair.
    int16_t half[HALF + 2 * REACH + 1];
    for (int x = 0; x < HALF; x++) {
      const float *at = row + 2 * x;
      half[REACH + x] = (int16_t)((at[0] + at[1] + at[SIDE] + at[SIDE + 1]) * (FRACTIONS / 4) + 0.5f);
    }
    for (int x = 0; x < REACH; x++) half[x] = half[REACH];
    for (int x = 0; x < REACH + 1; x++) half[REACH + HALF + x] = half[REACH + HALF - 1];
    artwork_flow_pair *to = picture->half + y * HALF_ROW;
    for (int phase = 0; phase < PHASES; phase++) {
      for (int lane = 0; lane < LANES; lane++) {
        const int x = lane * PHASES + phase;
        to[phase * LANES + lane] = (artwork_flow_pair){half[x], half[x + 1]};
      }
    }
  }
}

// MARK: Whole vectors at half the size

// The squares of both numbers of each pair, added: one instruction of most processors.
WITHIN void add_squares(const artwork_flow_pair *a, const artwork_flow_pair *b, sums *to) {
  typedef int32_t numbers __attribute__((vector_size(64)));
  const numbers d = __builtin_convertvector(*(const pairs *)a - *(const pairs *)b, numbers), square = d * d;
  *to += __builtin_shufflevector(square, square, 0, 2, 4, 6, 8, 10, 12, 14) +
         __builtin_shufflevector(square, square, 1, 3, 5, 7, 9, 11, 13, 15);
}

// The left and the right pair of all blocks in a row.
enum { LEFT, RIGHT, SIDES };
typedef sums row_of_blocks[SIDES][ACROSS / 8];

// Adds the squared differences of two rows of the halved pictures.
WITHIN void add_row(
    const artwork_flow_pair *current, const artwork_flow_pair *reference, int dx, row_of_blocks rows) {
  for (int side = 0; side < SIDES; side++) {
    // Columns are counted from the left margin, so that the quotient is rounded down.
    const int column = 2 * side + dx + REACH;
    const artwork_flow_pair *from = current + 2 * side * LANES + OUTSIDE;
    const artwork_flow_pair *to = reference + column % PHASES * LANES + column / PHASES;
    for (int part = 0; part < ACROSS / 8; part++) {
      add_squares(from + 8 * part, to + 8 * part, &rows[side][part]);
    }
  }
}

// The sums over windows of 8 by 8, two pixels wider than the block to each side, mirrored at the edges.
WITHIN void windows(row_of_blocks rows, int32_t found[ACROSS]) {
  int32_t left[ACROSS + 1], right[ACROSS + 1];
  memcpy(left, rows[LEFT], sizeof(int32_t) * ACROSS);
  memcpy(right + 1, rows[RIGHT], sizeof(int32_t) * ACROSS);
  left[ACROSS] = right[ACROSS];
  right[0] = left[0];
  for (int part = 0; part < ACROSS; part += 8) {
    *(sums *)(found + part) = *(const sums *)(right + part) + *(const sums *)(left + part) +
                              *(const sums *)(right + part + 1) + *(const sums *)(left + part + 1);
  }
}

// What a vector costs more than none, for each pixel of its way.
enum { WINDOW = 64 };  // pixels
WITHIN int32_t dearer_after(int way) {
  return (int32_t)(WINDOW * FRACTIONS * FRACTIONS * ARTWORK_FLOW_DEARER * (float)way + 0.5f);
}

// Tries one vector for all blocks in some rows; of two that cost the same, the one at the lower place is better.
WITHIN void try_everywhere(
    const artwork_flow_pair *current, const artwork_flow_pair *reference, int dy, int dx, const uint8_t tried[ACROSS],
    int32_t costs[ARTWORK_FLOW_BLOCKS], int32_t best[ARTWORK_FLOW_BLOCKS]) {
  const int32_t dearer = dearer_after((dy < 0 ? -dy : dy) + (dx < 0 ? -dx : dx));
  const int32_t place = (dy + REACH) * (2 * REACH + 1) + dx + REACH;
  // Pairs of rows: the last two of the block before, two of this one, the first of the next.
  row_of_blocks rows[HALF / 2];
  int known = 0;
  for (int block = 0; block < ACROSS; block++) {
    if (!tried[block]) continue;
    const int before = block ? 2 * block - 1 : 0, after = block < ACROSS - 1 ? 2 * block + 2 : HALF / 2 - 1;
    for (int pair = known > before ? known : before; pair <= after; pair++) {
      memset(rows[pair], 0, sizeof rows[pair]);
      for (int y = 2 * pair; y < 2 * pair + 2; y++) {
        add_row(current + (y + REACH) * HALF_ROW, reference + (y + dy + REACH) * HALF_ROW, dx, rows[pair]);
      }
    }
    known = after + 1;
    row_of_blocks all;
    int32_t sum[ACROSS];
    for (int side = 0; side < SIDES; side++) {
      for (int part = 0; part < ACROSS / 8; part++) {
        all[side][part] = rows[before][side][part] + rows[2 * block][side][part] + rows[2 * block + 1][side][part] +
                          rows[after][side][part];
      }
    }
    windows(all, sum);
    for (int part = 0; part < ACROSS; part += 8) {
      sums *least = (sums *)(costs + block * ACROSS + part), *where = (sums *)(best + block * ACROSS + part);
      const sums cost = *(const sums *)(sum + part) + dearer;
      const sums better = (cost < *least) | ((cost == *least) & (place < *where));
      *where = (better & place) | (~better & *where);
      *least = (better & cost) | (~better & *least);
    }
  }
}

// MARK: Fractions at full size

typedef struct {
  float gain, offset;
} tone;

// The block of `reference` that `vector` points to from block `by`, `bx`.
WITHIN void moved_block(const float *reference, int by, int bx, artwork_flow_vector vector, lanes rows[BLOCK]) {
  const int left = (int)floorf(vector.dx), up = (int)floorf(vector.dy);
  const float fx = vector.dx - (float)left, fy = vector.dy - (float)up;
  const float *at = reference + (by * BLOCK + up + MARGIN) * STRIDE + bx * BLOCK + left + MARGIN;
  // Whole places need no mean of two, and give the same.
  if (fx == 0 && fy == 0) {
    for (int y = 0; y < BLOCK; y++) rows[y] = *(const lanes *)(at + y * STRIDE);
    return;
  }
  if (fx == 0) {
    for (int y = 0; y < BLOCK; y++) {
      rows[y] = (1 - fy) * *(const lanes *)(at + y * STRIDE) + fy * *(const lanes *)(at + (y + 1) * STRIDE);
    }
    return;
  }
  if (fy == 0) {
    for (int y = 0; y < BLOCK; y++) {
      const float *row = at + y * STRIDE;
      rows[y] = (1 - fx) * *(const lanes *)row + fx * *(const lanes *)(row + 1);
    }
    return;
  }
  lanes above = (1 - fx) * *(const lanes *)at + fx * *(const lanes *)(at + 1);
  for (int y = 0; y < BLOCK; y++) {
    const float *next = at + (y + 1) * STRIDE;
    const lanes below = (1 - fx) * *(const lanes *)next + fx * *(const lanes *)(next + 1);
    rows[y] = (1 - fy) * above + fy * below;
    above = below;
  }
}

WITHIN float sum_of(const lanes *s) {
  return (((*s)[0] + (*s)[4]) + ((*s)[2] + (*s)[6])) + (((*s)[1] + (*s)[5]) + ((*s)[3] + (*s)[7]));
}

WITHIN const float *block_of(const float *full, int by, int bx) {
  return full + (by * BLOCK + MARGIN) * STRIDE + bx * BLOCK + MARGIN;
}

// The mean squared difference of a block from where `vector` points.
WITHIN float error_at(
    const float *current, const float *reference, int by, int bx, artwork_flow_vector vector, tone tone) {
  lanes rows[BLOCK], sums = {0};
  moved_block(reference, by, bx, vector, rows);
  const float *target = block_of(current, by, bx);
  for (int y = 0; y < BLOCK; y++) {
    const lanes d = *(const lanes *)(target + y * STRIDE) - (tone.gain * rows[y] + tone.offset);
    sums += d * d;
  }
  return sum_of(&sums) / (BLOCK * BLOCK);
}

// The mean squared differences of a block from the nine places around `middle`, `step` apart, row by row. The same as
// error_at finds, with means of two columns that all places of a column share.
WITHIN void errors_around(
    const float *current, const float *reference, int by, int bx, artwork_flow_vector middle, float step,
    float errors[9]) {
  enum { MOST_ROWS = BLOCK + 3 };  // a whole pixel up and down, and one for the interpolation
  const float *target = block_of(current, by, bx);
  const int first = (int)floorf(middle.dy - step);
  for (int column = 0; column < 3; column++) {
    const float dx = middle.dx + step * (float)(column - 1);
    const int left = (int)floorf(dx);
    const float fx = dx - (float)left;
    const float *at = reference + (by * BLOCK + first + MARGIN) * STRIDE + bx * BLOCK + left + MARGIN;
    lanes means[MOST_ROWS];
    for (int y = 0; y < MOST_ROWS; y++) {
      const float *row = at + y * STRIDE;
      means[y] = fx == 0 ? *(const lanes *)row : (1 - fx) * *(const lanes *)row + fx * *(const lanes *)(row + 1);
    }
    for (int row = 0; row < 3; row++) {
      const float dy = middle.dy + step * (float)(row - 1);
      const int up = (int)floorf(dy);
      const float fy = dy - (float)up;
      const lanes *from = means + (up - first);
      lanes sums = {0};
      for (int y = 0; y < BLOCK; y++) {
        const lanes d = *(const lanes *)(target + y * STRIDE) - (fy == 0 ? from[y] : (1 - fy) * from[y] + fy * from[y + 1]);
        sums += d * d;
      }
      errors[3 * row + column] = sum_of(&sums) / (BLOCK * BLOCK);
    }
  }
}

EACH_PROCESSOR void artwork_flow_search(
    const artwork_flow_picture *current, const artwork_flow_picture *reference,
    artwork_flow_vector vectors[ARTWORK_FLOW_BLOCKS]) {
  int32_t costs[ARTWORK_FLOW_BLOCKS], best[ARTWORK_FLOW_BLOCKS] = {0};
  for (int block = 0; block < ARTWORK_FLOW_BLOCKS; block++) costs[block] = INT32_MAX;
  for (int way = 0; way <= 2 * REACH; way++) {
    // Rows of blocks of which one may fare better that far away.
    uint8_t tried[ACROSS] = {0}, any = 0;
    for (int block = 0; block < ARTWORK_FLOW_BLOCKS; block++) tried[block / ACROSS] |= costs[block] >= dearer_after(way);
    for (int row = 0; row < ACROSS; row++) any |= tried[row];
    if (!any) break;
    for (int dy = -within(way, REACH + 1); dy <= REACH && dy <= way; dy++) {
      const int dx = way - (dy < 0 ? -dy : dy);
      if (dx > REACH) continue;
      try_everywhere(current->half, reference->half, dy, -dx, tried, costs, best);
      if (dx) try_everywhere(current->half, reference->half, dy, dx, tried, costs, best);
    }
  }
  // A difference this small is rounding.
  const float rounding = 1e-3f;
  for (int block = 0; block < ARTWORK_FLOW_BLOCKS; block++) {
    const int by = block / ACROSS, bx = block % ACROSS;
    artwork_flow_vector found = {
        2.0f * (float)(best[block] % (2 * REACH + 1) - REACH), 2.0f * (float)(best[block] / (2 * REACH + 1) - REACH)};
    float least = error_at(current->full, reference->full, by, bx, found, (tone){1, 0});
    for (float step = 1; step >= 0.25f && least > rounding; step /= 2) {
      const artwork_flow_vector middle = found;
      float errors[9];
      errors_around(current->full, reference->full, by, bx, middle, step, errors);
      for (int around = 0; around < 9; around++) {
        if (errors[around] < least - rounding) {
          least = errors[around];
          found = (artwork_flow_vector){
              middle.dx + step * (float)(around % 3 - 1), middle.dy + step * (float)(around / 3 - 1)};
        }
      }
    }
    vectors[block] = found;
  }
}

// MARK: Prediction

// The gain and the offset that bring one picture nearest to another, from sums over both.
typedef struct {
  lanes one, other, one_one, one_other;
} tone_sums;

WITHIN void add_block(tone_sums *sums, const lanes rows[BLOCK], const float *target) {
  for (int y = 0; y < BLOCK; y++) {
    const lanes b = *(const lanes *)(target + y * STRIDE) - 128, a = rows[y] - 128;
    sums->one += a;
    sums->other += b;
    sums->one_one += a * a;
    sums->one_other += a * b;
  }
}

WITHIN tone tone_of(const tone_sums *sums) {
  const double count = SIDE * SIDE;
  const double one = sum_of(&sums->one) / count, other = sum_of(&sums->other) / count;
  const double spread = sum_of(&sums->one_one) - count * one * one;
  const double common = sum_of(&sums->one_other) - count * one * other;
  const double gain = fmin(1.25, fmax(0.8, common / (spread + 64)));
  // Sums are taken around 128.
  return (tone){(float)gain, (float)(other + 128 - gain * (one + 128))};
}

// The block's own vector, those of its eight neighbours, and of four at distance two: what moved into a block came from
// near by.
static const int8_t near_by[13][2] = {{0, 0},  {-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1},
                                      {1, 0},  {1, 1},   {2, 0},  {-2, 0}, {0, 2},  {0, -2}};

WITHIN artwork_flow_vector stretched(artwork_flow_vector vector, float pace) {
  return (artwork_flow_vector){vector.dx * pace, vector.dy * pace};
}

EACH_PROCESSOR void artwork_flow_predict(
    const artwork_flow_picture *current, const artwork_flow_picture *reference,
    const artwork_flow_vector vectors[ARTWORK_FLOW_BLOCKS], float pace, float errors[ARTWORK_FLOW_BLOCKS]) {
  lanes rows[BLOCK];
  tone_sums sums;
  memset(&sums, 0, sizeof sums);
  for (int block = 0; block < ARTWORK_FLOW_BLOCKS; block++) {
    const int by = block / ACROSS, bx = block % ACROSS;
    moved_block(reference->full, by, bx, stretched(vectors[block], pace), rows);
    add_block(&sums, rows, block_of(current->full, by, bx));
  }
  const tone first = tone_of(&sums);
  artwork_flow_vector chosen[ARTWORK_FLOW_BLOCKS] = {0};
  memset(&sums, 0, sizeof sums);
  for (int block = 0; block < ARTWORK_FLOW_BLOCKS; block++) {
    const int by = block / ACROSS, bx = block % ACROSS;
    artwork_flow_vector tried[14];
    int count = 0;
    float least = INFINITY;
    for (int candidate = 0; candidate < 14; candidate++) {
      artwork_flow_vector vector = {0, 0};
      if (candidate < 13) {
        const int y = within(by + near_by[candidate][0], ACROSS), x = within(bx + near_by[candidate][1], ACROSS);
        vector = stretched(vectors[y * ACROSS + x], pace);
      }
      // Neighbours often move alike.
      int is_new = 1;
      for (int i = 0; i < count; i++) is_new &= tried[i].dx != vector.dx || tried[i].dy != vector.dy;
      if (!is_new) continue;
      tried[count++] = vector;
      const float error = error_at(current->full, reference->full, by, bx, vector, first);
      if (error < least) least = error, chosen[block] = vector;
    }
    moved_block(reference->full, by, bx, chosen[block], rows);
    add_block(&sums, rows, block_of(current->full, by, bx));
  }
  const tone second = tone_of(&sums);
  for (int block = 0; block < ARTWORK_FLOW_BLOCKS; block++) {
    errors[block] =
        error_at(current->full, reference->full, block / ACROSS, block % ACROSS, chosen[block], second);
  }
}

// MARK: Change

void artwork_flow_change(artwork_flow_planes a, artwork_flow_planes b, float change[ARTWORK_FLOW_BLOCKS]) {
  enum { CHROMA = SIDE / 4, CHROMA_BLOCK = BLOCK / 4 };
  for (int block = 0; block < ARTWORK_FLOW_BLOCKS; block++) {
    const int by = block / ACROSS, bx = block % ACROSS;
    lanes sums = {0};
    for (int y = 0; y < BLOCK; y++) {
      const int at = (by * BLOCK + y) * SIDE + bx * BLOCK;
      const lanes d = *(const lanes *)(a.luma + at) - *(const lanes *)(b.luma + at);
      sums += d * d;
    }
    float chroma = 0;
    for (int y = 0; y < CHROMA_BLOCK; y++) {
      for (int x = 0; x < CHROMA_BLOCK; x++) {
        const int at = (by * CHROMA_BLOCK + y) * CHROMA + bx * CHROMA_BLOCK + x;
        const float blue = a.blue[at] - b.blue[at], red = a.red[at] - b.red[at];
        chroma += blue * blue + red * red;
      }
    }
    change[block] = sum_of(&sums) / (BLOCK * BLOCK) + 0.5f * chroma / (CHROMA_BLOCK * CHROMA_BLOCK);
  }
}
