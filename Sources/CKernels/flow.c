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
  // The search for whole vectors runs at half the size.
  HALF = SIDE / 2,
  REACH = ARTWORK_FLOW_REACH,
  // Columns of the half size by their remainder modulo 4, the width of a block: one lane for each block. Two lanes on
  // either side hold what lies outside of the picture.
  PHASES = 4,
  OUTSIDE = REACH / PHASES,
  LANES = ACROSS + 2 * OUTSIDE,
  HALF_ROW = PHASES * LANES,
};

_Static_assert(ARTWORK_FLOW_HALF_SAMPLES == (HALF + 2 * REACH) * HALF_ROW, "the size of the half picture");

// Eight samples, wherever they start.
typedef float lanes __attribute__((vector_size(32), aligned(4)));
typedef int32_t places __attribute__((vector_size(32), aligned(4)));

static int within(int place, int length) {
  return place < 0 ? 0 : place >= length ? length - 1 : place;
}

void artwork_flow_prepare(const float *luma, artwork_flow_picture *picture) {
  for (int y = 0; y < STRIDE; y++) {
    const float *row = luma + within(y - MARGIN, SIDE) * SIDE;
    for (int x = 0; x < STRIDE; x++) picture->full[y * STRIDE + x] = row[within(x - MARGIN, SIDE)];
  }
  for (int y = 0; y < HALF + 2 * REACH; y++) {
    const float *row = luma + 2 * within(y - REACH, HALF) * SIDE;
    float *to = picture->half + y * HALF_ROW;
    for (int lane = 0; lane < LANES; lane++) {
      for (int phase = 0; phase < PHASES; phase++) {
        const float *at = row + 2 * within((lane - OUTSIDE) * PHASES + phase, HALF);
        to[phase * LANES + lane] = (at[0] + at[1] + at[SIDE] + at[SIDE + 1]) / 4;
      }
    }
  }
}

// MARK: Whole vectors at half the size

// Adds the squared differences of two rows of the halved pictures to `sums`, by column.
WITHIN void add_row(const float *current, const float *reference, int dx, lanes sums[PHASES][ACROSS / 8]) {
  for (int phase = 0; phase < PHASES; phase++) {
    // Columns are counted from the left margin, so that the quotient is rounded down.
    const int column = phase + dx + REACH;
    const float *from = current + phase * LANES + OUTSIDE;
    const float *to = reference + column % PHASES * LANES + column / PHASES;
    for (int part = 0; part < ACROSS / 8; part++) {
      const lanes d = *(const lanes *)(from + 8 * part) - *(const lanes *)(to + 8 * part);
      sums[phase][part] += d * d;
    }
  }
}

// The sums over windows of 8 by 8, two pixels wider than the block to each side, mirrored at the edges.
WITHIN void windows(lanes rows[PHASES][ACROSS / 8], float sums[ACROSS]) {
  float columns[PHASES][ACROSS + 2];
  for (int phase = 0; phase < PHASES; phase++) memcpy(columns[phase] + 1, rows[phase], sizeof(float) * ACROSS);
  columns[2][0] = columns[1][1];
  columns[3][0] = columns[0][1];
  columns[0][ACROSS + 1] = columns[3][ACROSS];
  columns[1][ACROSS + 1] = columns[2][ACROSS];
  for (int part = 0; part < ACROSS; part += 8) {
    *(lanes *)(sums + part) =
        *(const lanes *)(columns[2] + part) + *(const lanes *)(columns[3] + part) +
        *(const lanes *)(columns[0] + part + 1) + *(const lanes *)(columns[1] + part + 1) +
        *(const lanes *)(columns[2] + part + 1) + *(const lanes *)(columns[3] + part + 1) +
        *(const lanes *)(columns[0] + part + 2) + *(const lanes *)(columns[1] + part + 2);
  }
}

WITHIN void try_everywhere(
    const float *current, const float *reference, int dy, int dx, float costs[ARTWORK_FLOW_BLOCKS],
    int32_t best[ARTWORK_FLOW_BLOCKS]) {
  enum { WINDOW = 64 };  // pixels
  const float dearer = WINDOW * ARTWORK_FLOW_DEARER * (float)((dy < 0 ? -dy : dy) + (dx < 0 ? -dx : dx));
  const int32_t place = (dy + REACH) * (2 * REACH + 1) + dx + REACH;
  // Pairs of rows: the last two of the block before, two of this one, the first of the next.
  lanes pairs[HALF / 2][PHASES][ACROSS / 8];
  for (int pair = 0; pair < HALF / 2; pair++) {
    memset(pairs[pair], 0, sizeof pairs[pair]);
    for (int y = 2 * pair; y < 2 * pair + 2; y++) {
      add_row(current + (y + REACH) * HALF_ROW, reference + (y + dy + REACH) * HALF_ROW, dx, pairs[pair]);
    }
  }
  for (int block = 0; block < ACROSS; block++) {
    lanes rows[PHASES][ACROSS / 8];
    float sums[ACROSS];
    for (int phase = 0; phase < PHASES; phase++) {
      for (int part = 0; part < ACROSS / 8; part++) {
        rows[phase][part] = pairs[block ? 2 * block - 1 : 0][phase][part] + pairs[2 * block][phase][part] +
                            pairs[2 * block + 1][phase][part] +
                            pairs[block < ACROSS - 1 ? 2 * block + 2 : HALF / 2 - 1][phase][part];
      }
    }
    windows(rows, sums);
    for (int part = 0; part < ACROSS; part += 8) {
      lanes *least = (lanes *)(costs + block * ACROSS + part);
      places *where = (places *)(best + block * ACROSS + part);
      const lanes cost = *(const lanes *)(sums + part) + dearer;
      const places better = cost < *least;
      *where = (better & place) | (~better & *where);
      *least = (lanes)((better & (places)cost) | (~better & (places)*least));
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
  if (fx == 0 && fy == 0) {
    for (int y = 0; y < BLOCK; y++) rows[y] = *(const lanes *)(at + y * STRIDE);
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

EACH_PROCESSOR void artwork_flow_search(
    const artwork_flow_picture *current, const artwork_flow_picture *reference,
    artwork_flow_vector vectors[ARTWORK_FLOW_BLOCKS]) {
  float costs[ARTWORK_FLOW_BLOCKS];
  int32_t best[ARTWORK_FLOW_BLOCKS] = {0};
  for (int block = 0; block < ARTWORK_FLOW_BLOCKS; block++) costs[block] = INFINITY;
  for (int dy = -REACH; dy <= REACH; dy++) {
    for (int dx = -REACH; dx <= REACH; dx++) {
      try_everywhere(current->half, reference->half, dy, dx, costs, best);
    }
  }
  const tone same = {1, 0};
  for (int block = 0; block < ARTWORK_FLOW_BLOCKS; block++) {
    const int by = block / ACROSS, bx = block % ACROSS;
    artwork_flow_vector found = {
        2.0f * (float)(best[block] % (2 * REACH + 1) - REACH), 2.0f * (float)(best[block] / (2 * REACH + 1) - REACH)};
    float least = error_at(current->full, reference->full, by, bx, found, same);
    for (float step = 1; step >= 0.25f; step /= 2) {
      const artwork_flow_vector middle = found;
      for (int around = 0; around < 9; around++) {
        if (around == 4) continue;
        const artwork_flow_vector tried = {
            middle.dx + step * (float)(around % 3 - 1), middle.dy + step * (float)(around / 3 - 1)};
        const float error = error_at(current->full, reference->full, by, bx, tried, same);
        // A difference this small is rounding.
        if (error < least - 1e-3f) least = error, found = tried;
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
