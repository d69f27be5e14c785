#include "CPNG.h"

#include <libdeflate.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// The read position in a file in memory.
typedef struct {
  const uint8_t *bytes;
  size_t count;
} source;

static void read_bytes(png_structp png, png_bytep target, png_size_t count) {
  source *from = png_get_io_ptr(png);
  if (count > from->count) png_error(png, "the file ends early");
  memcpy(target, from->bytes, count);
  from->bytes += count;
  from->count -= count;
}

// Without one of its own, libpng prints to standard error.
static void fail(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

uint32_t artwork_png_checksum(const uint8_t *bytes, size_t count) { return libdeflate_crc32(0, bytes, count); }

int artwork_png_read(
    const uint8_t *file, size_t count, uint32_t width, uint32_t height, uint8_t *pixels) {
  source from = {file, count};
  png_bytep *rows = malloc(height * sizeof *rows);
  if (!rows) return 0;
  for (uint32_t y = 0; y < height; y++) rows[y] = pixels + (size_t)y * width * 4;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  volatile int is_read = 0;
  if (info && !setjmp(png_jmpbuf(png))) {
    png_set_read_fn(png, &from, read_bytes);
    png_set_user_limits(png, width, height);
    png_read_info(png, info);
    if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height)
      png_error(png, "another size");
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)width * 4) png_error(png, "another form");
    png_read_image(png, rows);
    is_read = 1;
  }
  png_destroy_read_struct(png ? &png : NULL, info ? &info : NULL, NULL);
  free(rows);
  return is_read;
}

size_t artwork_zlib_length(const uint8_t *stream, size_t count, size_t most, uint8_t *bytes) {
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  uint8_t *raw = bytes ? bytes : malloc(most ? most : 1);
  size_t length = 0;
  enum libdeflate_result result = decompressor && raw
      ? libdeflate_zlib_decompress(decompressor, stream, count, raw, most, &length) : LIBDEFLATE_BAD_DATA;
  if (!bytes) free(raw);
  if (decompressor) libdeflate_free_decompressor(decompressor);
  return result == LIBDEFLATE_INSUFFICIENT_SPACE ? most + 1 : result == LIBDEFLATE_SUCCESS ? length : 0;
}
