#pragma once

#include <math.h>

// The lobes of the filter on each side.
enum { LOBES = 3 };

// How much a sample counts that is `x` samples away.
static inline double lanczos(double x) {
  if (x == 0) return 1;
  if (fabs(x) >= LOBES) return 0;
  const double turn = x * M_PI;
  return LOBES * sin(turn) * sin(turn / LOBES) / (turn * turn);
}
