#include <stdlib.h>
#include <string.h>

#include "CKernels.h"
#include "ordered.h"

// Colours are counted by the five highest bits of each channel.
enum { BITS = 5, CELLS = 1 << (3 * BITS) };

static inline int cell(const uint8_t *pixel) { return pixel[0] >> 3 << 10 | pixel[1] >> 3 << 5 | pixel[2] >> 3; }

void artwork_palette_count(const uint8_t *pixels, size_t count, int channels, artwork_palette_cell *cells) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *pixel = pixels + i * (size_t)channels;
    if (channels == 4 && pixel[3] < 128) continue;
    artwork_palette_cell *found = &cells[cell(pixel)];
    found->count++;
    for (int channel = 0; channel < 3; channel++) found->sums[channel] += pixel[channel];
    // Boyer and Moore: pairs of different colours cancel out.
    if (found->lead == 0) memcpy(found->leader, pixel, 3);
    found->lead += memcmp(found->leader, pixel, 3) == 0 ? 1 : (uint64_t)-1;
  }
}

// Colours that share an entry: a range of `order`.
typedef struct {
  int first, end;
  double count, error;  // pixels, and the sum of their squared distances from the mean on the longest axis
  int axis;
  double mean[3];
} box;

static double value(const artwork_palette_cell *cells, int index, int axis) {
  return (double)cells[index].sums[axis] / (double)cells[index].count;
}

// Green counts most for the eye, blue least.
static const double importance[3] = {0.6, 1.0, 0.45};

// Frequent colours must not starve rare ones: an eye sees places, not pixels.
static void measure(box *box, const artwork_palette_cell *cells, const int *order) {
  double sums[3] = {0}, squares[3] = {0};
  box->count = 0;
  for (int i = box->first; i < box->end; i++) {
    const double count = (double)cells[order[i]].count;
    box->count += count;
    for (int axis = 0; axis < 3; axis++) {
      const double v = value(cells, order[i], axis);
      sums[axis] += count * v;
      squares[axis] += count * v * v;
    }
  }
  box->error = -1;
  for (int axis = 0; axis < 3; axis++) {
    box->mean[axis] = sums[axis] / box->count;
    const double error = importance[axis] * (squares[axis] - sums[axis] * box->mean[axis]);
    if (error > box->error) {
      box->error = error;
      box->axis = axis;
    }
  }
}

// Moves the colours below the mean to the front; returns where the others begin.
static int split(const box *box, const artwork_palette_cell *cells, int *order) {
  int low = box->first;
  for (int i = box->first; i < box->end; i++) {
    if (value(cells, order[i], box->axis) < box->mean[box->axis]) {
      const int other = order[low];
      order[low++] = order[i];
      order[i] = other;
    }
  }
  return low;
}

// Colours that cover much of a picture: at least a fiftieth of it, and as many as a quarter of the palette.
enum { MUCH = 50 };

static int choose_exact(const artwork_palette_cell *cells, int most, uint8_t *colors) {
  uint64_t all = 0;
  int count = 0;
  for (int i = 0; i < CELLS; i++) all += cells[i].count;
  for (int i = 0; i < CELLS && count < most / 4; i++) {
    if (cells[i].lead == 0 || cells[i].lead * MUCH < all) continue;
    memcpy(&colors[3 * count++], cells[i].leader, 3);
  }
  return count;
}

int artwork_palette_choose(const artwork_palette_cell *cells, int most, uint8_t *colors, int *exact) {
  *exact = choose_exact(cells, most, colors);
  colors += 3 * *exact;
  most -= *exact;
  int *order = malloc(CELLS * sizeof *order);
  box *boxes = malloc((size_t)most * sizeof *boxes);
  int used = 0, count = 0;
  if (!order || !boxes) {
    free(order);
    free(boxes);
    return -1;
  }
  for (int i = 0; i < CELLS; i++) {
    if (cells[i].count) order[used++] = i;
  }
  if (used) {
    boxes[0] = (box){.first = 0, .end = used};
    measure(&boxes[0], cells, order);
    count = 1;
  }
  while (count < most) {
    int worst = -1;
    for (int i = 0; i < count; i++) {
      if (boxes[i].end - boxes[i].first < 2 || boxes[i].error <= 0) continue;
      if (worst < 0 || boxes[i].error > boxes[worst].error) worst = i;
    }
    if (worst < 0) break;
    const int middle = split(&boxes[worst], cells, order);
    if (middle == boxes[worst].first || middle == boxes[worst].end) {
      // Equal values cannot be parted, and it is not tried again.
      boxes[worst].error = 0;
      continue;
    }
    boxes[count] = (box){.first = middle, .end = boxes[worst].end};
    boxes[worst].end = middle;
    measure(&boxes[worst], cells, order);
    measure(&boxes[count], cells, order);
    count++;
  }
  for (int i = 0; i < count; i++) {
    for (int channel = 0; channel < 3; channel++) colors[3 * i + channel] = (uint8_t)(boxes[i].mean[channel] + 0.5);
  }
  free(order);
  free(boxes);
  return *exact + count;
}

static double distance(const uint8_t *color, const uint8_t *other) {
  double sum = 0;
  for (int channel = 0; channel < 3; channel++) {
    const double error = color[channel] - other[channel];
    sum += importance[channel] * error * error;
  }
  return sum;
}

// The entry nearest to a colour of six bits a channel, found once.
static uint8_t nearest(const uint8_t *colors, int count, int red, int green, int blue, uint16_t *known) {
  uint16_t *place = &known[red >> 2 << 12 | green >> 2 << 6 | blue >> 2];
  if (*place) return (uint8_t)(*place - 1);
  const uint8_t wanted[] = {(uint8_t)(red | 2), (uint8_t)(green | 2), (uint8_t)(blue | 2)};
  int best = 0;
  double least = 1e30;
  for (int i = 0; i < count; i++) {
    const double error = distance(wanted, &colors[3 * i]);
    if (error < least) {
      least = error;
      best = i;
    }
  }
  *place = (uint16_t)(best + 1);
  return (uint8_t)best;
}

static inline int limited(int value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

// Colours whose mean comes near to a pixel's, of which its place takes one, and how much of the rest each makes up for. More
// colours or all of the rest take colours that are farther off, and show as dots.
enum { CHOICES = 4 };
static const float made_up = 0.6f;

// How light a colour is, for an order.
static inline int lightness(const uint8_t *color) { return 2 * color[0] + 5 * color[1] + color[2]; }

// T. Knoll's pattern dithering: the spread is that of the palette's colours there.
static uint8_t chosen(const artwork_palette *palette, const uint8_t *pixel, int threshold, uint16_t *known) {
  // Coding changes a plain colour by a level or two.
  for (int i = 0; i < palette->exact; i++) {
    const uint8_t *color = &palette->colors[3 * i];
    if (abs(pixel[0] - color[0]) <= 2 && abs(pixel[1] - color[1]) <= 2 && abs(pixel[2] - color[2]) <= 2) {
      return (uint8_t)i;
    }
  }
  uint8_t choices[CHOICES];
  int rest[3] = {0};
  for (int i = 0; i < CHOICES; i++) {
    int wanted[3];
    for (int channel = 0; channel < 3; channel++) {
      wanted[channel] = limited(pixel[channel] + (int)((float)rest[channel] * made_up));
    }
    const uint8_t choice = nearest(palette->colors, palette->count, wanted[0], wanted[1], wanted[2], known);
    const uint8_t *color = &palette->colors[3 * choice];
    int place = i;
    for (; place > 0 && lightness(&palette->colors[3 * choices[place - 1]]) > lightness(color); place--) {
      choices[place] = choices[place - 1];
    }
    choices[place] = choice;
    for (int channel = 0; channel < 3; channel++) rest[channel] += pixel[channel] - color[channel];
  }
  return choices[threshold * CHOICES / 64];
}

void artwork_palette_draw(
    const uint8_t *pixels, int width, int height, int channels, const artwork_palette *palette, uint16_t *known,
    uint8_t *out) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      const uint8_t *pixel = pixels + ((size_t)y * (size_t)width + (size_t)x) * (size_t)channels;
      out[(size_t)y * (size_t)width + (size_t)x] = channels == 4 && pixel[3] < 128
                                                       ? (uint8_t)palette->transparent
                                                       : chosen(palette, pixel, ordered_thresholds[y & 7][x & 7], known);
    }
  }
}

// Bits that are packed from the lowest on into blocks of up to 255 bytes.
typedef struct {
  uint8_t *bytes;
  size_t count, block;  // written, and where the length of the open block is
  uint32_t bits;
  int held;
} packing;

static void put_byte(packing *to, uint8_t byte) {
  if (to->count - to->block == 256) {
    to->bytes[to->block] = 255;
    to->block = to->count++;
  }
  to->bytes[to->count++] = byte;
}

static void put(packing *to, int code, int size) {
  to->bits |= (uint32_t)code << to->held;
  to->held += size;
  while (to->held >= 8) {
    put_byte(to, (uint8_t)to->bits);
    to->bits >>= 8;
    to->held -= 8;
  }
}

// The colour that an index shows at a place; NULL for none.
static const uint8_t *color_of(const artwork_gif_loss *loss, int index, size_t place) {
  if (index != loss->palette->transparent) return &loss->palette->colors[3 * index];
  return loss->shown ? &loss->palette->colors[3 * loss->shown[place]] : NULL;
}

size_t artwork_gif_pack(uint8_t *indices, size_t count, const artwork_gif_loss *loss, uint8_t *out) {
  enum { CLEAR = 256, END = 257, MOST = 4096, HASH = 8192 };
  static _Thread_local int32_t keys[HASH];
  static _Thread_local int16_t codes[HASH];
  // The sequences that go on from each: the last one, the one before it, and the index that it ends with.
  static _Thread_local int16_t children[MOST], siblings[MOST];
  static _Thread_local uint8_t ends[MOST];
  packing to = {.bytes = out, .count = 2, .block = 1};
  out[0] = 8;
  int next = END + 1, size = 9;
  memset(keys, -1, sizeof keys);
  memset(children, -1, sizeof children);
  put(&to, CLEAR, size);
  int prefix = indices[0];
  for (size_t i = 1; i < count; i++) {
    const int32_t key = prefix << 8 | indices[i];
    uint32_t place = ((uint32_t)key * 2654435761u) >> 19;
    while (keys[place] >= 0 && keys[place] != key) place = (place + 1) % HASH;
    if (keys[place] == key) {
      prefix = codes[place];
      continue;
    }
    // A plain area stays plain, and what stands still stays as it is.
    if (loss && indices[i] >= loss->palette->exact && indices[i] != loss->palette->transparent) {
      double least = loss->most;
      int near = -1;
      for (int child = children[prefix]; child >= 0; child = siblings[child]) {
        const uint8_t *color = color_of(loss, ends[child], i);
        const double error = color ? distance(color, color_of(loss, indices[i], i)) : least;
        if (error < least) {
          least = error;
          near = child;
        }
      }
      if (near >= 0) {
        indices[i] = ends[near];
        prefix = near;
        continue;
      }
    }
    put(&to, prefix, size);
    if (next < MOST) {
      ends[next] = indices[i];
      siblings[next] = children[prefix];
      children[prefix] = (int16_t)next;
      keys[place] = key;
      codes[place] = (int16_t)next;
      if (next == 1 << size) size++;
      next++;
    } else {
      put(&to, CLEAR, size);
      memset(keys, -1, sizeof keys);
      memset(children, -1, sizeof children);
      next = END + 1;
      size = 9;
    }
    prefix = indices[i];
  }
  put(&to, prefix, size);
  if (next == 1 << size && size < 12) size++;
  put(&to, END, size);
  if (to.held > 0) put_byte(&to, (uint8_t)to.bits);
  to.bytes[to.block] = (uint8_t)(to.count - to.block - 1);
  if (to.count - to.block == 1) to.count--;
  to.bytes[to.count++] = 0;
  return to.count;
}
