// Writes 8-bit PNG images into memory: libpng for the container, libdeflate for the pixels.
#ifndef ARTWORK_CPNG_H
#define ARTWORK_CPNG_H

#include <stddef.h>
#include <stdint.h>

// The outcome of artwork_png_write.
typedef struct {
  uint8_t *bytes;     // malloc'd PNG file, to be freed with free(); NULL on failure
  size_t count;       // its length in bytes
  char message[128];  // why it failed, empty on success
} artwork_png_result;

// Encodes `height` rows of `width` pixels, `channels` bytes each (3: RGB, 4: RGBA with straight
// alpha), `row_bytes` apart, as an sRGB-tagged PNG. Never longjmps to the caller.
artwork_png_result artwork_png_write(
    const uint8_t *pixels, size_t row_bytes, uint32_t width, uint32_t height, int channels);

#endif
