#include "CKernels.h"

#include <math.h>

static float light_of(float signal, const artwork_light_codes *codes) {
  const float place = signal * (ARTWORK_LIGHT_CODES - 1) + 0.5f;
  if (!(place > 0)) return codes->light[0];
  return codes->light[place < ARTWORK_LIGHT_CODES ? (int)place : ARTWORK_LIGHT_CODES - 1];
}

void artwork_light(
    const float *luma, const float *blue, const float *red, const artwork_light_codes *codes,
    float *luminance, float *redness) {
  enum { CHROMA = 32, PER_CELL = CHROMA / ARTWORK_LIGHT_SIDE };
  const float share = 1.0f / (PER_CELL * PER_CELL);
  for (int cell = 0; cell < ARTWORK_LIGHT_CELLS; cell++) luminance[cell] = redness[cell] = 0;
  for (int y = 0; y < CHROMA; y++) {
    for (int x = 0; x < CHROMA; x++) {
      const float *four = luma + 2 * y * 2 * CHROMA + 2 * x;
      const float code = (four[0] + four[1] + four[2 * CHROMA] + four[2 * CHROMA + 1]) / 4;
      const float signal = (code - codes->black) * codes->gain;
      const float u = (blue[y * CHROMA + x] - 128) * codes->chroma_gain;
      const float v = (red[y * CHROMA + x] - 128) * codes->chroma_gain;
      const float r = light_of(signal + codes->red_v * v, codes);
      const float g = light_of(signal + codes->green_u * u + codes->green_v * v, codes);
      const float b = light_of(signal + codes->blue_u * u, codes);
      const int cell = y / PER_CELL * ARTWORK_LIGHT_SIDE + x / PER_CELL;
      luminance[cell] +=
          share * (codes->red_weight * r + codes->green_weight * g + codes->blue_weight * b);
      if (r > g + b && r >= 0.8f * (r + g + b)) redness[cell] += share * 320 * (r - g - b);
    }
  }
}

int artwork_swing_step(
    artwork_swing *swings, const float *values, int count, float step, float ceiling, double time) {
  int begun = 0;
  for (int cell = 0; cell < count; cell++) {
    artwork_swing *swing = &swings[cell];
    const float value = values[cell];
    const int was_counted = swing->is_counted, was = swing->direction;
    if (was >= 0) swing->high = fmaxf(swing->high, value);
    if (was <= 0) swing->low = fminf(swing->low, value);
    if (was >= 0 && swing->high - value >= step) {
      swing->direction = -1;
      swing->low = value;
    } else if (was <= 0 && value - swing->low >= step) {
      swing->direction = 1;
      swing->high = value;
    }
    if (swing->direction == 0) continue;
    if (swing->direction != was) swing->is_counted = 0;
    // A way down counts as soon as it is dark enough, one up only if it began so.
    if (!swing->is_counted && swing->low < ceiling) {
      swing->is_counted = 1;
      swing->transition = swing->direction;
      swing->when = time;
    }
    begun += swing->is_counted && (!was_counted || swing->direction != was);
  }
  return begun;
}

artwork_swing_count artwork_swing_area(
    const artwork_swing *swings, int left, int top, int width, int height, double time, double since) {
  artwork_swing_count count = {0, 0, 0, 0};
  for (int y = top; y < top + height; y++) {
    for (int x = left; x < left + width; x++) {
      const artwork_swing *swing = &swings[y * ARTWORK_LIGHT_SIDE + x];
      if (swing->transition == 0 || swing->when <= since) continue;
      const int is_now = swing->when == time;
      if (swing->transition > 0) {
        count.up += is_now;
        count.recent_up++;
      } else {
        count.down += is_now;
        count.recent_down++;
      }
    }
  }
  return count;
}

static float plane_spread(const float *plane, int side) {
  const int size = side / ARTWORK_LIGHT_SIDE;
  float lowest = INFINITY, highest = -INFINITY;
  for (int y = 0; y < side; y += size) {
    for (int x = 0; x < side; x += size) {
      float sum = 0;
      for (int row = y; row < y + size; row++) {
        for (int column = x; column < x + size; column++) sum += plane[row * side + column];
      }
      lowest = fminf(lowest, sum);
      highest = fmaxf(highest, sum);
    }
  }
  return (highest - lowest) / (float)(size * size);
}

float artwork_spread(const float *luma, const float *blue, const float *red) {
  return fmaxf(plane_spread(luma, 64), fmaxf(plane_spread(blue, 32), plane_spread(red, 32)));
}
