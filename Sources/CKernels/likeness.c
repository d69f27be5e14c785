#include "CKernels.h"

enum { SIDE = ARTWORK_SIGNATURE_SIDE, CELLS = SIDE * SIDE, PLACES = 3 };

typedef float part __attribute__((vector_size(16)));
// The same at any address.
typedef float loose_part __attribute__((vector_size(16), aligned(4)));
enum { PART = sizeof(part) / sizeof(float) };

// Each of the three comparisons counts for so much; chosen on the tuning half of the labelled pairs.
static const float luma_weight = 0.35f, edge_weight = 0.3f, color_weight = 0.35f;
// How much of a picture is laid over the other, each way.
static const float scales[] = {1, 0.92f, 0.85f, 0.75f};
// Contrast in code values below which there is nothing to compare: rounding and noise.
static const float noise = 1;

// A picture as luma and two colour differences (BT.709), row by row.
typedef struct {
  _Alignas(part) float luma[CELLS], blue[CELLS], red[CELLS];
} planes;

// A picture that parts of another one are compared with, and what each comparison needs of it.
typedef struct {
  const planes *picture;
  _Alignas(part) float centred[CELLS];              // luma without its mean
  _Alignas(part) float right[CELLS], down[CELLS];   // differences of neighbours; 0 in the last column
  float luma_square, edge_square, color_square;     // sums of squares
} target;

// Where a resampled cell comes from: between a cell and the next, `share` of the way.
typedef struct {
  int cell, next;
  float share;
} sample;

static const part no_last_column = {1, 1, 1, 0};

static inline part load(const float *from) { return *(const loose_part *)from; }
static inline float total(part sums) { return (sums[0] + sums[1]) + (sums[2] + sums[3]); }

static void split(const uint8_t *cells, planes *planes) {
  for (int cell = 0; cell < CELLS; cell++) {
    const float red = cells[3 * cell], green = cells[3 * cell + 1], blue = cells[3 * cell + 2];
    const float luma = 0.2126f * red + 0.7152f * green + 0.0722f * blue;
    planes->luma[cell] = luma;
    planes->blue[cell] = (blue - luma) / 1.8556f;
    planes->red[cell] = (red - luma) / 1.5748f;
  }
}

static float mean(const float *cells) {
  part sums = {0};
  for (int cell = 0; cell < CELLS; cell += PART) sums += load(cells + cell);
  return total(sums) / CELLS;
}

static void prepare(const planes *picture, target *target) {
  const float luma_mean = mean(picture->luma);
  target->picture = picture;
  target->luma_square = target->edge_square = target->color_square = 0;
  for (int cell = 0; cell < CELLS; cell++) {
    const float luma = picture->luma[cell], blue = picture->blue[cell], red = picture->red[cell];
    const float centred = luma - luma_mean;
    const int is_inside = cell % SIDE < SIDE - 1 && cell < CELLS - SIDE;
    const float right = is_inside ? picture->luma[cell + 1] - luma : 0;
    const float down = is_inside ? picture->luma[cell + SIDE] - luma : 0;
    target->centred[cell] = centred;
    target->right[cell] = right;
    target->down[cell] = down;
    target->luma_square += centred * centred;
    target->edge_square += right * right + down * down;
    target->color_square += blue * blue + red * red;
  }
}

// The cells of a stretch of `length` cells from `start`.
static void find_samples(float start, float length, sample samples[SIDE]) {
  for (int number = 0; number < SIDE; number++) {
    const float place = start + ((float)number + 0.5f) * length / SIDE - 0.5f;
    const float inside = place < 0 ? 0 : place > SIDE - 1 ? SIDE - 1 : place;
    const int cell = (int)inside;
    samples[number] = (sample){cell, cell + 1 < SIDE ? cell + 1 : SIDE - 1, inside - (float)cell};
  }
}

static void stretch_rows(const float *from, const sample columns[SIDE], float *to) {
  for (int row = 0; row < SIDE; row++, from += SIDE, to += SIDE) {
    for (int x = 0; x < SIDE; x++) {
      const float left = from[columns[x].cell];
      to[x] = left + (from[columns[x].next] - left) * columns[x].share;
    }
  }
}

static inline part between(const float *plane, sample row, int x) {
  const part top = load(plane + row.cell * SIDE + x);
  return top + (load(plane + row.next * SIDE + x) - top) * row.share;
}

static float root(float value) { return __builtin_sqrtf(value); }

static float correlation(float product, float square, float other_square, int count) {
  return product / (root(square * other_square) + noise * noise * (float)count);
}

// How alike the rows of `wide`, stretched to the height, and the target are.
static float likeness_of_part(const planes *wide, const sample rows[SIDE], const target *target) {
  _Alignas(part) float luma[CELLS];
  part sums = {0}, color_products = {0}, color_squares = {0};
  for (int y = 0; y < SIDE; y++) {
    for (int x = 0; x < SIDE; x += PART) {
      const int cell = y * SIDE + x;
      const part value = between(wide->luma, rows[y], x);
      const part blue = between(wide->blue, rows[y], x);
      const part red = between(wide->red, rows[y], x);
      *(part *)(luma + cell) = value;
      sums += value;
      color_products +=
          blue * load(target->picture->blue + cell) + red * load(target->picture->red + cell);
      color_squares += blue * blue + red * red;
    }
  }
  const float luma_mean = total(sums) / CELLS;
  part luma_products = {0}, luma_squares = {0}, edge_products = {0}, edge_squares = {0};
  for (int y = 0; y < SIDE; y++) {
    for (int x = 0; x < SIDE; x += PART) {
      const int cell = y * SIDE + x;
      const part value = load(luma + cell), centred = value - luma_mean;
      luma_products += centred * load(target->centred + cell);
      luma_squares += centred * centred;
      if (y == SIDE - 1) continue;
      part right = load(luma + cell + 1) - value, down = load(luma + cell + SIDE) - value;
      if (x == SIDE - PART) {
        right *= no_last_column;
        down *= no_last_column;
      }
      edge_products += right * load(target->right + cell) + down * load(target->down + cell);
      edge_squares += right * right + down * down;
    }
  }
  const float color_floor = noise * noise * (2 * CELLS);
  return luma_weight
          * correlation(total(luma_products), total(luma_squares), target->luma_square, CELLS)
      + edge_weight
          * correlation(
              total(edge_products), total(edge_squares), target->edge_square,
              2 * (SIDE - 1) * (SIDE - 1))
      + color_weight * (2 * total(color_products) + color_floor)
          / (total(color_squares) + target->color_square + color_floor);
}

static int find_offsets(float space, bool is_quick, float offsets[PLACES]) {
  if (space < 0.5f || is_quick) {
    offsets[0] = space / 2;
    return 1;
  }
  for (int number = 0; number < PLACES; number++) {
    offsets[number] = space * (float)number / (PLACES - 1);
  }
  return PLACES;
}

// The best likeness of a part of `picture` to the whole of `target`, or the first that is enough. `ratio` is the
// target's aspect over the picture's. The quick way tries only the largest part in the middle.
static float best_part(
    const planes *picture, const target *target, float ratio, double enough, bool is_quick) {
  const float width = ratio > 1 ? SIDE : SIDE * ratio, height = ratio > 1 ? SIDE / ratio : SIDE;
  float best = -1;
  for (size_t size = 0; size < (is_quick ? 1 : sizeof scales / sizeof *scales); size++) {
    const float w = width * scales[size], h = height * scales[size];
    float lefts[PLACES], tops[PLACES];
    const int columns = find_offsets(SIDE - w, is_quick, lefts);
    const int rows = find_offsets(SIDE - h, is_quick, tops);
    for (int column = 0; column < columns; column++) {
      sample samples[SIDE];
      planes wide;
      find_samples(lefts[column], w, samples);
      stretch_rows(picture->luma, samples, wide.luma);
      stretch_rows(picture->blue, samples, wide.blue);
      stretch_rows(picture->red, samples, wide.red);
      for (int row = 0; row < rows; row++) {
        find_samples(tops[row], h, samples);
        const float likeness = likeness_of_part(&wide, samples, target);
        best = likeness > best ? likeness : best;
        if ((double)best >= enough) return best;
      }
    }
  }
  return best;
}

float artwork_likeness(
    const uint8_t *one, float aspect, const uint8_t *other, float other_aspect, double enough,
    bool is_quick) {
  planes first, second;
  target whole;
  split(one, &first);
  split(other, &second);
  prepare(&second, &whole);
  const float best = best_part(&first, &whole, other_aspect / aspect, enough, is_quick);
  if ((double)best >= enough) return best;
  prepare(&first, &whole);
  const float reverse = best_part(&second, &whole, aspect / other_aspect, enough, is_quick);
  return reverse > best ? reverse : best;
}
