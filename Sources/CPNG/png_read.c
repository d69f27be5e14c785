#include "CPNG.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

// The filter of every row that png_write.c writes (PNG specification, section 9.4).
enum { PAETH = 4 };

// Eight 16-bit lanes, of which the channels of one pixel are used: a pixel waits for the one before it, but its channels
// do not wait for each other.
typedef int16_t lanes __attribute__((vector_size(16)));

static inline lanes load(const uint8_t *bytes, size_t channels) {
  lanes result = {bytes[0], bytes[1], bytes[2], channels == 4 ? bytes[3] : 0};
  return result;
}

static inline void store(uint8_t *bytes, lanes value, size_t channels) {
  for (size_t i = 0; i < channels; i++) bytes[i] = (uint8_t)value[i];
}

static inline lanes magnitude(lanes value) {
  const lanes sign = value >> 15;
  return (value ^ sign) - sign;
}

static inline void undo_paeth(
    uint8_t *restrict out, const uint8_t *restrict in, const uint8_t *restrict above, size_t count,
    const size_t channels) {
  lanes left = {0}, corner = {0};
  for (size_t i = 0; i < count; i += channels) {
    const lanes up = load(above + i, channels);
    const lanes to_left = up - corner, to_up = left - corner;
    const lanes a = magnitude(to_left), b = magnitude(to_up), c = magnitude(to_left + to_up);
    const lanes is_left = (a <= b) & (a <= c), is_up = b <= c;
    const lanes nearest = (is_left & left) | (~is_left & ((is_up & up) | (~is_up & corner)));
    left = (load(in + i, channels) + nearest) & 255;
    store(out + i, left, channels);
    corner = up;
  }
}

int artwork_png_unpack(
    const uint8_t *stream, size_t count, uint32_t width, uint32_t height, int channels, uint8_t *pixels) {
  const size_t row = (size_t)width * (size_t)channels, raw_size = (row + 1) * height;
  uint8_t *raw = malloc(raw_size);
  uint8_t *zeros = calloc(1, row);
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  // Without a place for the actual length, any other length is an error. Compares the Adler-32.
  int is_read = raw && zeros && decompressor
      && libdeflate_zlib_decompress(decompressor, stream, count, raw, raw_size, NULL) == LIBDEFLATE_SUCCESS;
  for (uint32_t y = 0; is_read && y < height; y++) {
    const uint8_t *in = raw + y * (row + 1);
    uint8_t *out = pixels + y * row;
    const uint8_t *above = y ? out - row : zeros;
    is_read = in[0] == PAETH;
    // A constant number of channels, so that the compiler unrolls their loops.
    if (is_read && channels == 4) undo_paeth(out, in + 1, above, row, 4);
    if (is_read && channels == 3) undo_paeth(out, in + 1, above, row, 3);
  }
  if (decompressor) libdeflate_free_decompressor(decompressor);
  free(zeros);
  free(raw);
  return is_read;
}
