#include "CKernels.h"
#include "processors.h"

// Rows are taken in pieces whose sums fit into 32 bits.
#define UNEVENNESS(NAME, SAMPLE, PIECE)                                                               \
  EACH_PROCESSOR uint64_t NAME(const SAMPLE *const rows[3], int width) {                              \
    const SAMPLE *above = rows[0], *middle = rows[1], *below = rows[2];                               \
    uint64_t total = 0;                                                                               \
    for (int start = 1; start < width - 1; start += PIECE) {                                          \
      const int end = width - 1 - start > PIECE ? start + (PIECE) : width - 1;                          \
      uint32_t sum = 0;                                                                               \
      for (int x = start; x < end; x++) {                                                             \
        const int32_t around = above[x - 1] + above[x] + above[x + 1] + middle[x - 1] + middle[x] +   \
                               middle[x + 1] + below[x - 1] + below[x] + below[x + 1];                \
        const int32_t d = 9 * middle[x] - around;                                                     \
        sum += (uint32_t)(d < 0 ? -d : d);                                                            \
      }                                                                                               \
      total += sum;                                                                                   \
    }                                                                                                 \
    return total;                                                                                     \
  }

UNEVENNESS(artwork_unevenness_8, uint8_t, 1 << 20)
UNEVENNESS(artwork_unevenness_16, uint16_t, 1 << 12)
