#include "CKernels.h"

#include <math.h>
#include <stdlib.h>

enum {
  SIDE = ARTWORK_MOTION_SIDE,
  BLOCK = ARTWORK_MOTION_BLOCK,
  ACROSS = SIDE / BLOCK,
  REACH = ARTWORK_MOTION_REACH,
  STRIDE = ARTWORK_MOTION_STRIDE,
};

// A block's row, wherever it starts, and its lanes with room for a sum.
typedef int16_t row __attribute__((vector_size(2 * BLOCK), aligned(2)));
typedef int32_t wide_row __attribute__((vector_size(4 * BLOCK)));

void artwork_motion_prepare(const float *luma, int16_t *picture) {
  for (int y = 0; y < STRIDE; y++) {
    int from_y = y < REACH ? 0 : y >= SIDE + REACH ? SIDE - 1 : y - REACH;
    for (int x = 0; x < STRIDE; x++) {
      int from_x = x < REACH ? 0 : x >= SIDE + REACH ? SIDE - 1 : x - REACH;
      picture[y * STRIDE + x] =
          (int16_t)(luma[from_y * SIDE + from_x] * ARTWORK_MOTION_SCALE + 0.5f);
    }
  }
}

static const int16_t *block_at(const int16_t *picture, int by, int bx) {
  return picture + (by * BLOCK + REACH) * STRIDE + bx * BLOCK + REACH;
}

// Adds up the absolute differences of `rows` rows. Eight rows of at most 255 * 16 fit into a lane.
static int difference(const int16_t *a, const int16_t *b, int rows) {
  row sums = {0};
  for (int y = 0; y < rows; y++) {
    const row d = *(const row *)(a + y * STRIDE) - *(const row *)(b + y * STRIDE);
    sums += __builtin_elementwise_abs(d);
  }
  return __builtin_reduce_add(__builtin_convertvector(sums, wide_row));
}

// The extremum of the parabola through three costs, the middle one the lowest, within half a pixel.
static float refine(int before, int lowest, int after) {
  int curvature = before + after - 2 * lowest;
  if (curvature <= 0) return 0;
  float offset = 0.5f * (float)(before - after) / (float)curvature;
  return fminf(0.5f, fmaxf(-0.5f, offset));
}

void artwork_motion_search(
    const int16_t *from, const int16_t *to,
    artwork_motion_vector vectors[ARTWORK_MOTION_BLOCKS]) {
  // A hundredth of a code value a pixel, so that flat places stand still.
  const int dearer = BLOCK * BLOCK * ARTWORK_MOTION_SCALE / 100;
  for (int by = 0; by < ACROSS; by++) {
    for (int bx = 0; bx < ACROSS; bx++) {
      const int16_t *target = block_at(to, by, bx);
      const int16_t *origin = block_at(from, by, bx);
      int best = INT32_MAX, best_y = 0, best_x = 0;
      // Outwards, so that most places are given up half-way.
      for (int distance = 0; distance <= 2 * REACH; distance++) {
        const int farthest = distance < REACH ? distance : REACH;
        for (int dy = -farthest; dy <= farthest; dy++) {
          const int right = distance - abs(dy);
          if (right > REACH) continue;
          for (int dx = -right; dx <= right; dx += right ? 2 * right : 1) {
            const int16_t *place = origin - dy * STRIDE - dx;
            int cost = difference(target, place, BLOCK / 2) + dearer * distance;
            if (cost >= best) continue;
            cost += difference(target + BLOCK / 2 * STRIDE, place + BLOCK / 2 * STRIDE, BLOCK / 2);
            if (cost < best) best = cost, best_y = dy, best_x = dx;
          }
        }
      }
      const int16_t *found = origin - best_y * STRIDE - best_x;
      const int lowest = difference(target, found, BLOCK);
      artwork_motion_vector *vector = &vectors[by * ACROSS + bx];
      vector->dy = (float)best_y;
      vector->dx = (float)best_x;
      vector->error = (float)lowest / (BLOCK * BLOCK * ARTWORK_MOTION_SCALE);
      if (abs(best_y) < REACH) {
        vector->dy += refine(
            difference(target, found + STRIDE, BLOCK), lowest,
            difference(target, found - STRIDE, BLOCK));
      }
      if (abs(best_x) < REACH) {
        vector->dx += refine(
            difference(target, found + 1, BLOCK), lowest, difference(target, found - 1, BLOCK));
      }
    }
  }
}

void artwork_motion_misses(
    const int16_t *current, const int16_t *next,
    const artwork_motion_vector vectors[ARTWORK_MOTION_BLOCKS], float misses[ARTWORK_MOTION_BLOCKS]) {
  const float unit = 1.0f / (BLOCK * BLOCK * ARTWORK_MOTION_SCALE);
  for (int by = 0; by < ACROSS; by++) {
    for (int bx = 0; bx < ACROSS; bx++) {
      const int index = by * ACROSS + bx;
      // Vectors stay within reach, so that every sample lies in the padded picture.
      const float left = -vectors[index].dx, up = -vectors[index].dy;
      const int whole_x = (int)floorf(left), whole_y = (int)floorf(up);
      const float fx = left - (float)whole_x, fy = up - (float)whole_y;
      const int16_t *source = block_at(current, by, bx) + whole_y * STRIDE + whole_x;
      const int16_t *target = block_at(next, by, bx);
      // At a whole pixel the neighbour has no weight and may lie outside.
      const int right = fx > 0 ? 1 : 0, below = fy > 0 ? STRIDE : 0;
      float sum = 0;
      for (int y = 0; y < BLOCK; y++) {
        for (int x = 0; x < BLOCK; x++) {
          const int16_t *at = source + y * STRIDE + x;
          const float top = (1 - fx) * at[0] + fx * at[right];
          const float bottom = (1 - fx) * at[below] + fx * at[below + right];
          const float d = target[y * STRIDE + x] - ((1 - fy) * top + fy * bottom);
          sum += fabsf(d);
        }
      }
      misses[index] = sum * unit;
    }
  }
}
