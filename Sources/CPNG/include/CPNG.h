// Writes 8-bit PNG images into memory: libpng for the container, libdeflate for the pixels. Reads the pixels back.
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

// Reads the pixels of the zlib stream of a PNG file that artwork_png_write has written: `height` rows of `width`
// pixels, `channels` bytes each (3 or 4), into as many bytes at `pixels`. Writes nothing elsewhere, whatever the
// stream contains. Returns 0 for a stream that is damaged, has another length or names another filter, and if memory
// ran out.
int artwork_png_unpack(
    const uint8_t *stream, size_t count, uint32_t width, uint32_t height, int channels, uint8_t *pixels);

// The checksum of a chunk's type and data (PNG specification, section 5.5).
uint32_t artwork_png_checksum(const uint8_t *bytes, size_t count);

// Reads any PNG file of `width` by `height` pixels into RGBA with 8 bits and straight alpha, `width * 4` bytes per
// row: 16 bits are rounded, gray and palettes become RGB, gamma is ignored. Returns 0 for a damaged file or another
// size. Never longjmps to the caller.
int artwork_png_read(const uint8_t *file, size_t count, uint32_t width, uint32_t height, uint8_t *pixels);

// The bytes that a zlib stream holds: `most` + 1 for more than `most`, where it stops; 0 for a damaged one. They are written
// to `bytes`, which has room for `most`, unless it is NULL.
size_t artwork_zlib_length(const uint8_t *stream, size_t count, size_t most, uint8_t *bytes);

#endif
