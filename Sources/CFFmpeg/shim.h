// The parts of FFmpeg that Swift cannot import: function-like macros, and every difference between FFmpeg 5.1 and 9.
// Swift code has no version checks; it calls these.
#ifndef ARTWORK_CFFMPEG_SHIM_H
#define ARTWORK_CFFMPEG_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/md5.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/murmur3.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <pthread.h>
#include <string.h>

static inline int artwork_error_eof(void) { return AVERROR_EOF; }
static inline int artwork_error_again(void) { return AVERROR(EAGAIN); }
static inline int artwork_error_no_memory(void) { return AVERROR(ENOMEM); }
static inline int artwork_error_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int artwork_error_from_errno(int error) { return AVERROR(error); }
static inline int64_t artwork_no_timestamp(void) { return AV_NOPTS_VALUE; }
static inline int artwork_seek_size(void) { return AVSEEK_SIZE; }

// libswscale's flags are macros up to FFmpeg 7 and an enumeration from 8 on.
static inline int artwork_scale_same_size(void) {
  return SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
}
static inline int artwork_scale_resize(void) {
  return SWS_LANCZOS | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
}
static inline int artwork_scale_reduce(void) { return SWS_AREA; }

// A context of libswscale. Its type is hidden up to FFmpeg 7 and a structure from 8 on, which Swift would see as another
// type of pointer.
typedef struct ArtworkScaler ArtworkScaler;

//
// The ranges must be known from the start: of two pictures of one size and format, libswscale otherwise copies the samples,
// whatever ranges it is told later.
static inline ArtworkScaler *artwork_scaler(
    int width, int height, enum AVPixelFormat format, int is_full, int new_width, int new_height,
    enum AVPixelFormat new_format, int new_is_full, int flags) {
  struct SwsContext *scaler = sws_alloc_context();
  if (!scaler) return NULL;
  const struct { const char *name; int value; } options[] = {
      {"srcw", width}, {"srch", height}, {"src_format", format}, {"src_range", is_full},
      {"dstw", new_width}, {"dsth", new_height}, {"dst_format", new_format}, {"dst_range", new_is_full},
      {"sws_flags", flags}};
  int status = 0;
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]) && status >= 0; i++) {
    status = av_opt_set_int(scaler, options[i].name, options[i].value, 0);
  }
  if (status < 0 || sws_init_context(scaler, NULL, NULL) < 0) {
    sws_freeContext(scaler);
    return NULL;
  }
  return (ArtworkScaler *)scaler;
}

// Matrices are numbers of AVColorSpace or SWS_CS_DEFAULT.
static inline void artwork_scaler_set_colors(
    ArtworkScaler *scaler, int matrix, int is_full, int new_matrix, int new_is_full) {
  sws_setColorspaceDetails(
      (struct SwsContext *)scaler, sws_getCoefficients(matrix), is_full, sws_getCoefficients(new_matrix),
      new_is_full, 0, 1 << 16, 1 << 16);
}

static inline int artwork_scaler_scale(
    ArtworkScaler *scaler, const uint8_t *const planes[], const int strides[], int row, int rows,
    uint8_t *const new_planes[], const int new_strides[]) {
  return sws_scale((struct SwsContext *)scaler, planes, strides, row, rows, new_planes, new_strides);
}

static inline void artwork_scaler_free(ArtworkScaler *scaler) { sws_freeContext((struct SwsContext *)scaler); }

// AVFrame.duration replaced pkt_duration in FFmpeg 6.
static inline int64_t artwork_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

/// Audio samples at the end of a packet that are not played (AV_PKT_DATA_SKIP_SAMPLES: 32 bits at the start, 32 at the end).
static inline unsigned artwork_packet_padding(const AVPacket *packet) {
  size_t size = 0;
  const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  return data && size >= 8
    ? data[4] | (unsigned)data[5] << 8 | (unsigned)data[6] << 16 | (unsigned)data[7] << 24 : 0;
}

// Whether a packet carries a palette or new extradata for the decoder. libavformat returns these once: a reader that
// skips the packet loses them.
static inline int artwork_packet_changes_setup(const AVPacket *packet) {
  static const enum AVPacketSideDataType types[] = {
      AV_PKT_DATA_PALETTE, AV_PKT_DATA_NEW_EXTRADATA, AV_PKT_DATA_PARAM_CHANGE};
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
    if (av_packet_get_side_data(packet, types[i], NULL)) return 1;
  }
  return 0;
}

// Stream side data moved to AVCodecParameters in FFmpeg 6.1. NULL and a size of 0 for none of this type.
static inline const uint8_t *artwork_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
  *size = 0;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  if (!data) return NULL;
  *size = data->size;
  return data->data;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}

// Copies the nine numbers of the display matrix (16.16, the last column 2.30) and returns 1, or returns 0 if there is none.
static inline int artwork_stream_display_matrix(const AVStream *stream, int32_t matrix[9]) {
  size_t size;
  const uint8_t *bytes = artwork_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (!bytes || size < 9 * sizeof(int32_t)) return 0;
  memcpy(matrix, bytes, 9 * sizeof(int32_t));
  return 1;
}

// Gives a stream the display matrix that its container states elsewhere. Returns 0 without memory.
static inline int artwork_stream_set_display_matrix(AVStream *stream, const int32_t matrix[9]) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  AVCodecParameters *parameters = stream->codecpar;
  AVPacketSideData *data = av_packet_side_data_new(
      &parameters->coded_side_data, &parameters->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX,
      9 * sizeof(int32_t), 0);
  uint8_t *bytes = data ? data->data : NULL;
#else
  uint8_t *bytes = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
#endif
  if (!bytes) return 0;
  memcpy(bytes, matrix, 9 * sizeof(int32_t));
  return 1;
}

// Copies the side data of `source` to `target`: rotation, HDR metadata and the like. From FFmpeg 6.1 on, copied
// parameters include it; those of an encoder do not. If the packets are not the `same`, side data that encoding
// invalidates is left out, such as the layers of Dolby Vision.
static inline int artwork_copy_stream_side_data(AVStream *target, const AVStream *source, int same) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  AVCodecParameters *parameters = target->codecpar;
  for (int i = 0; i < source->codecpar->nb_coded_side_data; i++) {
    const AVPacketSideData *data = &source->codecpar->coded_side_data[i];
    if (av_packet_side_data_get(parameters->coded_side_data, parameters->nb_coded_side_data, data->type)) continue;
    if (!same && data->type == AV_PKT_DATA_DOVI_CONF) continue;
    AVPacketSideData *copy = av_packet_side_data_new(
        &parameters->coded_side_data, &parameters->nb_coded_side_data, data->type, data->size, 0);
    if (!copy) return AVERROR(ENOMEM);
    memcpy(copy->data, data->data, data->size);
  }
#else
  for (int i = 0; i < source->nb_side_data; i++) {
    const AVPacketSideData *data = &source->side_data[i];
    if (!same && data->type == AV_PKT_DATA_DOVI_CONF) continue;
    uint8_t *bytes = av_stream_new_side_data(target, data->type, data->size);
    if (!bytes) return AVERROR(ENOMEM);
    memcpy(bytes, data->data, data->size);
  }
#endif
  return 0;
}

// States the matrix by which a stream is displayed, in place of that of its source.
static inline int artwork_stream_turn(AVStream *stream, const int32_t matrix[9]) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
  AVPacketSideData *data = av_packet_side_data_new(
      &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX,
      9 * sizeof *matrix, 0);
  uint8_t *bytes = data ? data->data : NULL;
#else
  uint8_t *bytes = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof *matrix);
#endif
  if (!bytes) return AVERROR(ENOMEM);
  memcpy(bytes, matrix, 9 * sizeof *matrix);
  return 0;
}

// The Dolby Vision profile of a stream, and the compatibility of its base layer (the configuration record of Dolby's
// ISO base media specification, 0 for none): profile * 16 + compatibility, or -1 without one.
static inline int artwork_stream_dolby_vision(const AVStream *stream) {
  size_t size;
  const uint8_t *bytes = artwork_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size);
  if (!bytes || size < sizeof(AVDOVIDecoderConfigurationRecord)) return -1;
  const AVDOVIDecoderConfigurationRecord *record = (const AVDOVIDecoderConfigurationRecord *)bytes;
  return record->dv_profile * 16 + (record->dv_bl_signal_compatibility_id & 15);
}

// 0 for a progressive frame, 1 if the top field comes first, 2 if the bottom field does. Flags since FFmpeg 6.1.
static inline int artwork_frame_fields(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  if (!(frame->flags & AV_FRAME_FLAG_INTERLACED)) return 0;
  return frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST ? 1 : 2;
#else
  if (!frame->interlaced_frame) return 0;
  return frame->top_field_first ? 1 : 2;
#endif
}

// A decoder may carry the matrix too (HEVC and H.264 display orientation SEI).
static inline int artwork_frame_display_matrix(const AVFrame *frame, int32_t matrix[9]) {
  const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
  if (!data || data->size < 9 * sizeof(int32_t)) return 0;
  memcpy(matrix, data->data, 9 * sizeof(int32_t));
  return 1;
}

// The mastering display and content light of HDR, in the units of SMPTE ST 2086 (0.00002 in chromaticity, 0.0001
// cd/m2): green, blue and red, white, maximum and minimum luminance; then MaxCLL and MaxFALL of CTA-861.3 in cd/m2.
// Returns whether a frame has the first ten numbers, plus 2 for the last two.
static inline int artwork_frame_light(const AVFrame *frame, int64_t light[12]) {
  int found = 0;
  const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
  if (data && data->size >= sizeof(AVMasteringDisplayMetadata)) {
    const AVMasteringDisplayMetadata *display = (const AVMasteringDisplayMetadata *)data->data;
    const AVRational all[10] = {
        display->display_primaries[1][0], display->display_primaries[1][1], display->display_primaries[2][0],
        display->display_primaries[2][1], display->display_primaries[0][0], display->display_primaries[0][1],
        display->white_point[0], display->white_point[1], display->max_luminance, display->min_luminance};
    found = display->has_primaries && display->has_luminance;
    for (int i = 0; i < 10; i++) {
      if (all[i].den <= 0 || all[i].num < 0) found = 0;
      else light[i] = av_rescale(all[i].num, i < 8 ? 50000 : 10000, all[i].den);
    }
  }
  data = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
  if (data && data->size >= sizeof(AVContentLightMetadata)) {
    const AVContentLightMetadata *level = (const AVContentLightMetadata *)data->data;
    light[10] = level->MaxCLL;
    light[11] = level->MaxFALL;
    found |= 2;
  }
  return found;
}

// Some decoders (H.264) treat a picture without memory as a damaged slice and continue. This records the failure in
// `failed`, which must outlive the context.
static inline int artwork_get_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
  int status = avcodec_default_get_buffer2(context, frame, flags);
  if (status == AVERROR(ENOMEM)) *(int32_t *)context->opaque = 1;
  return status;
}
static inline void artwork_watch_memory(AVCodecContext *context, int32_t *failed) {
  context->opaque = failed;
  context->get_buffer2 = artwork_get_buffer;
}

// An I/O context for writing. The bytes became const in FFmpeg 7.
static inline AVIOContext *artwork_io_for_writing(
    uint8_t *buffer, int size, void *opaque, int (*write)(void *, const uint8_t *, int),
    int64_t (*seek)(void *, int64_t, int)) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  return avio_alloc_context(buffer, size, 1, opaque, NULL, write, seek);
#else
  return avio_alloc_context(buffer, size, 1, opaque, NULL, (int (*)(void *, uint8_t *, int))write, seek);
#endif
}

// Whether this process may start threads: a sandbox may forbid it.
static inline void *artwork_no_work(void *nothing) { return nothing; }
static inline int artwork_may_start_threads(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, artwork_no_work, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

// Discards the buffer of an AVIOContext, leaving it as after a seek to its current position.
static inline void artwork_io_forget_buffer(AVIOContext *io) {
  io->buf_ptr = io->buffer;
  io->buf_end = io->buffer;
  io->eof_reached = 0;
  io->error = 0;
}

#endif
