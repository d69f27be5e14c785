#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "CKernels.h"
#include "lanczos.h"
#include "processors.h"

enum { TAPS = 2 * LOBES, STEPS = 256 };

// The weights of the samples from LOBES - 1 before a place on, for each STEPS-th part of a sample; those of one add up to 1.
typedef float place_weights[TAPS];

static void fill_weights(place_weights weights[STEPS + 1]) {
  for (int step = 0; step <= STEPS; step++) {
    double sum = 0;
    for (int tap = 0; tap < TAPS; tap++) sum += lanczos(tap - LOBES + 1 - (double)step / STEPS);
    for (int tap = 0; tap < TAPS; tap++) {
      weights[step][tap] = (float)(lanczos(tap - LOBES + 1 - (double)step / STEPS) / sum);
    }
  }
}

// The four lanes are the channels of a pixel; the fourth belongs to the next pixel, and is dropped.
typedef float lanes __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(4)));

static inline int inside(int place, int count) { return place < 0 ? 0 : place >= count ? count - 1 : place; }

EACH_PROCESSOR
static void warp_row(
    const uint8_t *pixels, int width, int height, const artwork_flow_vector *nodes, int side, int row,
    const place_weights *weights, uint8_t *out) {
  const float scale = (float)(side - 1) / (float)width;
  for (int column = 0; column < width; column++) {
    const float node = ((float)column + 0.5f) * scale;
    const int first = (int)node < side - 1 ? (int)node : side - 2;
    const float share = node - (float)first;
    const float x = (float)column + nodes[first].dx + (nodes[first + 1].dx - nodes[first].dx) * share;
    const float y = (float)row + nodes[first].dy + (nodes[first + 1].dy - nodes[first].dy) * share;
    const int left = (int)floorf(x), top = (int)floorf(y);
    const float *across = weights[(int)((x - (float)left) * STEPS + 0.5f)];
    const float *down = weights[(int)((y - (float)top) * STEPS + 0.5f)];
    // The last lane reads one byte behind a pixel.
    const int is_inside = left >= LOBES - 1 && left + LOBES + 1 < width;
    lanes pixel = {0};
    for (int line = 0; line < TAPS; line++) {
      const uint8_t *from = pixels + (size_t)inside(top + line - LOBES + 1, height) * (size_t)width * 3;
      lanes sum = {0};
      if (is_inside) {
        from += 3 * (left - LOBES + 1);
        for (int tap = 0; tap < TAPS; tap++) {
          bytes sample;
          memcpy(&sample, from + 3 * tap, sizeof sample);
          sum += __builtin_convertvector(sample, lanes) * across[tap];
        }
      } else {
        for (int tap = 0; tap < TAPS; tap++) {
          const uint8_t *sample = from + 3 * inside(left + tap - LOBES + 1, width);
          sum += (lanes){sample[0], sample[1], sample[2], 0} * across[tap];
        }
      }
      pixel += sum * down[line];
    }
    for (int channel = 0; channel < 3; channel++) {
      const float value = pixel[channel] + 0.5f;
      out[column * 3 + channel] = value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)value;
    }
  }
}

int artwork_warp(
    const uint8_t *pixels, int width, int height, const artwork_flow_vector *nodes, int side, uint8_t *out) {
  place_weights *weights = malloc((STEPS + 1) * sizeof *weights);
  artwork_flow_vector *between = malloc((size_t)side * sizeof *between);
  const int is_ready = weights && between;
  if (is_ready) fill_weights(weights);
  for (int row = 0; is_ready && row < height; row++) {
    const float node = ((float)row + 0.5f) * (float)(side - 1) / (float)height;
    const int first = (int)node < side - 1 ? (int)node : side - 2;
    const float share = node - (float)first;
    const artwork_flow_vector *above = nodes + first * side, *below = above + side;
    for (int i = 0; i < side; i++) {
      between[i].dx = above[i].dx + (below[i].dx - above[i].dx) * share;
      between[i].dy = above[i].dy + (below[i].dy - above[i].dy) * share;
    }
    warp_row(pixels, width, height, between, side, row, weights, out + (size_t)row * (size_t)width * 3);
  }
  free(weights);
  free(between);
  return is_ready;
}
