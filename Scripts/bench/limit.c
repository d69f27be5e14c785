// The limit: the least work that yields what `artworkd check --preview-dir` yields.
//
//     limit [--ends N] OUTPUT_DIR FILE...
//
// For each file it decodes the first N and the last N displayed frames (default 3) and no frame that these do not
// depend on, reduces them, compares the last with the first, and writes the first as a PNG. One process, one thread.
// It reads the index that mp4 and mov have, and nothing else.
//
// LIMIT_MD5, if set, prints the checksum of each of these frames, to compare with `ffmpeg -f framemd5`.

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/md5.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libdeflate.h>
#include <libswscale/swscale.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_END_FRAMES = 16, LUMA_CELLS = 64, CHROMA_CELLS = 32, STRIPE_ROWS = 32, MAX_REORDER = 16 };
enum { CELLS = LUMA_CELLS * LUMA_CELLS + 2 * CHROMA_CELLS * CHROMA_CELLS };

static int end_frames = 3;

typedef struct {
    int64_t pts;
    float cells[CELLS];
} Reduced;

typedef struct {
    AVPacket **list;
    int count, capacity;
} Packets;

// Up to `end_frames` presentation times, the most extreme first: the lowest with direction -1, the highest with +1.
typedef struct {
    int direction, count;
    int64_t pts[MOST_END_FRAMES];
} Extremes;

typedef struct {
    AVFormatContext *format;
    AVStream *stream;
    AVCodecContext *decoder;
    AVFrame *frame, *first;
    Packets packets;
    Extremes head, tail;
    int64_t delay;  // of the first frame, from decoding to presentation
    Reduced reduced[2 * MOST_END_FRAMES];
    int reduced_count;
} Clip;

// Kept from file to file.
typedef struct {
    struct libdeflate_compressor *compressor;
    uint8_t *filtered, *compressed;
    size_t filtered_size, compressed_size;
} Scratch;

static void *need(void *pointer) {
    if (!pointer) {
        fputs("limit: out of memory\n", stderr);
        exit(70);
    }
    return pointer;
}

static uint8_t *grow(uint8_t **buffer, size_t *size, size_t wanted) {
    if (*size < wanted) {
        free(*buffer);
        *buffer = need(malloc(wanted));
        *size = wanted;
    }
    return *buffer;
}

// MARK: Which frames are wanted

static void extremes_add(Extremes *extremes, int64_t pts) {
    int at = extremes->count;
    while (at > 0 && (pts - extremes->pts[at - 1]) * extremes->direction > 0) at--;
    if (at == end_frames) return;
    if (extremes->count < end_frames) extremes->count++;
    memmove(&extremes->pts[at + 1], &extremes->pts[at], (extremes->count - at - 1) * sizeof(int64_t));
    extremes->pts[at] = pts;
}

static bool extremes_has(const Extremes *extremes, int64_t pts) {
    for (int i = 0; i < extremes->count; i++)
        if (extremes->pts[i] == pts) return true;
    return false;
}

static bool wanted(const Clip *clip, int64_t pts) {
    return extremes_has(&clip->head, pts) || extremes_has(&clip->tail, pts);
}

// MARK: Which packets other frames depend on

// The temporal layer of an H.264 or HEVC packet that no frame of its layer refers to, or -1 for any other packet.
static int unreferenced_layer(const AVPacket *packet, const AVCodecParameters *parameters) {
    bool hevc = parameters->codec_id == AV_CODEC_ID_HEVC;
    int length_offset = hevc ? 21 : 4;
    if ((!hevc && parameters->codec_id != AV_CODEC_ID_H264) || parameters->extradata_size <= length_offset) return -1;
    int length_size = (parameters->extradata[length_offset] & 3) + 1, layer = -1;
    for (int64_t at = 0; at + length_size + 2 <= packet->size;) {
        int64_t length = 0;
        for (int i = 0; i < length_size; i++) length = length << 8 | packet->data[at++];
        const uint8_t *unit = packet->data + at;
        if (hevc) {
            int type = unit[0] >> 1 & 63;
            if (type < 32 && (type > 14 || type % 2)) return -1;
            if (type < 32) layer = (unit[1] & 7) - 1;
        } else {
            int type = unit[0] & 31;
            if (type >= 1 && type <= 5 && unit[0] & 0x60) return -1;
            if (type >= 1 && type <= 5) layer = 0;
        }
        at += length;
    }
    return layer;
}

static int highest_layer(const Packets *packets, AVCodecParameters *parameters) {
    if (parameters->codec_id != AV_CODEC_ID_HEVC || parameters->extradata_size < 22) return 0;
    int layers = parameters->extradata[21] >> 3 & 7, highest = 0;  // 0: unknown
    if (layers) return layers - 1;
    for (int i = 0; i < packets->count; i++)
        highest = FFMAX(highest, unreferenced_layer(packets->list[i], parameters));
    return highest;
}

// MARK: Reading

static void packets_clear(Packets *packets) {
    for (int i = 0; i < packets->count; i++) av_packet_free(&packets->list[i]);
    packets->count = 0;
}

static AVPacket *read_packet(Clip *clip) {
    AVPacket *packet = need(av_packet_alloc());
    while (av_read_frame(clip->format, packet) >= 0) {
        if (packet->stream_index == clip->stream->index) return packet;
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    return NULL;
}

static void keep(Packets *packets, AVPacket *packet) {
    if (packets->count == packets->capacity) {
        packets->capacity = packets->capacity ? 2 * packets->capacity : 64;
        packets->list = need(realloc(packets->list, packets->capacity * sizeof *packets->list));
    }
    packets->list[packets->count++] = packet;
}

// Keeps the packets up to the last of the first displayed frames: no later packet can show before its decoding time.
static void read_head(Clip *clip) {
    AVPacket *packet;
    while ((packet = read_packet(clip))) {
        const Extremes *head = &clip->head;
        bool enough = head->count == end_frames && packet->dts > head->pts[end_frames - 1];
        if (!(packet->flags & AV_PKT_FLAG_DISCARD)) extremes_add(&clip->head, packet->pts);
        keep(&clip->packets, packet);
        if (enough) return;
    }
}

// Keeps the packets from one entry of the index to the end of the file.
static int read_from(Clip *clip, int entry) {
    // The demuxer seeks by presentation time, so a decoding time would take it to the key frame before.
    int64_t dts = avformat_index_get_entry(clip->stream, entry)->timestamp;
    int64_t time = entry ? dts + clip->delay : INT64_MIN;
    int status = av_seek_frame(clip->format, clip->stream->index, time, AVSEEK_FLAG_BACKWARD);
    clip->tail.count = 0;
    packets_clear(&clip->packets);
    for (AVPacket *packet; status >= 0 && (packet = read_packet(clip));) {
        if (packet->dts < dts) {
            av_packet_free(&packet);
            continue;
        }
        if (!(packet->flags & AV_PKT_FLAG_DISCARD)) extremes_add(&clip->tail, packet->pts);
        keep(&clip->packets, packet);
    }
    return status >= 0 && clip->packets.count && clip->packets.list[0]->dts == dts ? 0 : AVERROR_INVALIDDATA;
}

// The index entry of the last key frame before `before` that has enough displayed frames from it to the end.
static int tail_key(AVStream *stream, int before) {
    int shown = 0;
    for (int i = avformat_index_get_entries_count(stream) - 1; i > 0; i--) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
        shown += !(entry->flags & AVINDEX_DISCARD_FRAME);
        if (i < before && shown >= end_frames && entry->flags & AVINDEX_KEYFRAME) return i;
    }
    return 0;
}

// MARK: Decoding

// Adds the box averages of one plane to `cells`, in code values.
static void reduce_plane(const AVFrame *frame, int plane, int width, int height, bool wide, int cells, float *output) {
    uint32_t *columns = need(calloc(width, sizeof *columns));
    for (int row = 0, y = 0; row < cells; row++) {
        int end = (row + 1) * height / cells, rows = end - y;
        memset(columns, 0, width * sizeof *columns);
        for (; y < end; y++) {
            const uint8_t *restrict line = frame->data[plane] + (ptrdiff_t)y * frame->linesize[plane];
            uint32_t *restrict sums = columns;
            if (wide)
                for (int x = 0; x < width; x++) sums[x] += ((const uint16_t *)line)[x];
            else
                for (int x = 0; x < width; x++) sums[x] += line[x];
        }
        for (int column = 0, x = 0; column < cells; column++) {
            uint32_t sum = 0;
            int from = x;
            for (end = (column + 1) * width / cells; x < end; x++) sum += columns[x];
            *output++ = (float)sum / FFMAX(1, rows * (x - from));
        }
    }
    free(columns);
}

static void reduce(const AVFrame *frame, Reduced *reduced) {
    reduced->pts = frame->pts;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    bool wide = format->comp[0].depth > 8;
    int chroma_width = AV_CEIL_RSHIFT(frame->width, format->log2_chroma_w);
    int chroma_height = AV_CEIL_RSHIFT(frame->height, format->log2_chroma_h);
    float *chroma = reduced->cells + LUMA_CELLS * LUMA_CELLS;
    reduce_plane(frame, 0, frame->width, frame->height, wide, LUMA_CELLS, reduced->cells);
    if (av_pix_fmt_count_planes(frame->format) < 3) return;  // gray or packed
    reduce_plane(frame, 1, chroma_width, chroma_height, wide, CHROMA_CELLS, chroma);
    reduce_plane(frame, 2, chroma_width, chroma_height, wide, CHROMA_CELLS, chroma + CHROMA_CELLS * CHROMA_CELLS);
}

static void print_md5(const AVFrame *frame) {
    int size = av_image_get_buffer_size(frame->format, frame->width, frame->height, 1);
    uint8_t *pixels = need(malloc(size)), digest[16];
    av_image_copy_to_buffer(pixels, size, (const uint8_t *const *)frame->data, frame->linesize, frame->format,
                            frame->width, frame->height, 1);
    av_md5_sum(digest, pixels, size);
    free(pixels);
    printf("md5 %" PRId64 " ", frame->pts);
    for (int i = 0; i < 16; i++) printf("%02x", digest[i]);
    putchar('\n');
}

static const Reduced *reduced_at(const Clip *clip, int64_t pts) {
    for (int i = 0; i < clip->reduced_count; i++)
        if (clip->reduced[i].pts == pts) return &clip->reduced[i];
    return NULL;
}

static void receive(Clip *clip) {
    while (avcodec_receive_frame(clip->decoder, clip->frame) >= 0) {
        if (!wanted(clip, clip->frame->pts) || reduced_at(clip, clip->frame->pts)) continue;
        if (getenv("LIMIT_MD5")) print_md5(clip->frame);
        reduce(clip->frame, &clip->reduced[clip->reduced_count++]);
        if (clip->frame->pts == clip->head.pts[0]) av_frame_move_ref(clip->first, clip->frame);
    }
}

// How many frames a decoder must hold back: for any frame, those decoded before it and shown after it.
static int reorder_depth(const Packets *packets) {
    int depth = 0;
    for (int i = 0; i < packets->count; i++) {
        int later = 0;
        for (int j = FFMAX(0, i - 2 * MAX_REORDER); j < i; j++) later += packets->list[j]->pts > packets->list[i]->pts;
        depth = FFMAX(depth, later);
    }
    return FFMIN(depth, MAX_REORDER);
}

// Decodes what the wanted frames depend on among the kept packets, then drops the packets.
static int decode(Clip *clip) {
    Packets *packets = &clip->packets;
    AVCodecParameters *parameters = clip->stream->codecpar;
    const AVCodecDescriptor *codec = avcodec_descriptor_get(parameters->codec_id);
    int highest = highest_layer(packets, parameters), last = -1, status = 0;
    for (int i = 0; i < packets->count; i++)
        if (wanted(clip, packets->list[i]->pts)) last = i;
    clip->decoder->has_b_frames = FFMAX(clip->decoder->has_b_frames, reorder_depth(packets));
    for (int i = 0; i <= last && status >= 0; i++) {
        AVPacket *packet = packets->list[i];
        bool unreferenced = codec->props & AV_CODEC_PROP_INTRA_ONLY ||
                            unreferenced_layer(packet, parameters) == highest;
        if (unreferenced && !wanted(clip, packet->pts)) continue;
        status = avcodec_send_packet(clip->decoder, packet);
        receive(clip);
    }
    avcodec_send_packet(clip->decoder, NULL);
    receive(clip);
    avcodec_flush_buffers(clip->decoder);
    packets_clear(packets);
    return status;
}

static int decode_ends(Clip *clip) {
    int key = tail_key(clip->stream, INT_MAX), status = 0;
    if (key > 0) {
        read_head(clip);
        if (!clip->packets.count) return AVERROR_INVALIDDATA;
        clip->delay = clip->packets.list[0]->pts - clip->packets.list[0]->dts;
        if ((status = decode(clip)) < 0 || (status = read_from(clip, key)) < 0) return status;
        // A frame shown before the key frame may depend on what precedes it.
        while (key > 0 && clip->tail.pts[end_frames - 1] < clip->packets.list[0]->pts) {
            key = tail_key(clip->stream, key);
            if ((status = read_from(clip, key)) < 0) return status;
        }
    } else if ((status = read_from(clip, 0)) >= 0) {
        for (int i = 0; i < clip->packets.count; i++) {
            const AVPacket *packet = clip->packets.list[i];
            if (!(packet->flags & AV_PKT_FLAG_DISCARD)) extremes_add(&clip->head, packet->pts);
        }
    }
    return status < 0 ? status : decode(clip);
}

// MARK: PNG

// In sixteen bits and not inlined, which is how compilers vectorise it.
__attribute__((noinline)) static void filter_paeth(uint8_t *restrict output, const uint8_t *restrict row,
                                                   const uint8_t *restrict above, int size) {
    output[0] = PNG_FILTER_VALUE_PAETH;
    for (int i = 0; i < 3; i++) output[i + 1] = row[i] - above[i];
    for (int i = 3; i < size; i++) {
        int16_t a = row[i - 3], b = above[i], c = above[i - 3];
        int16_t da = b - c, db = a - c, dc = da + db;
        int16_t pa = da < 0 ? -da : da, pb = db < 0 ? -db : db, pc = dc < 0 ? -dc : dc;
        int16_t nearest = pb <= pc ? b : c, distance = pb <= pc ? pb : pc;
        output[i + 1] = row[i] - (pa <= distance ? a : nearest);
    }
}

// Converts to RGB in stripes that stay in the cache, and filters them into the scratch buffer.
static bool filter_rgb(const AVFrame *frame, uint8_t *filtered) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    struct SwsContext *scaler = need(sws_alloc_context());
    av_opt_set_int(scaler, "srcw", frame->width, 0);
    av_opt_set_int(scaler, "srch", frame->height, 0);
    av_opt_set_int(scaler, "src_format", frame->format, 0);
    av_opt_set_int(scaler, "dstw", frame->width, 0);
    av_opt_set_int(scaler, "dsth", frame->height, 0);
    av_opt_set_int(scaler, "dst_format", AV_PIX_FMT_RGB24, 0);
    bool ready = av_opt_set(scaler, "sws_flags", "bicubic", 0) >= 0 &&
                 sws_init_context(scaler, NULL, NULL) >= 0;
    sws_setColorspaceDetails(scaler, sws_getCoefficients(frame->colorspace), frame->color_range == AVCOL_RANGE_JPEG,
                             sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);

    // A row above the stripe for the filter, and room below for the rows that swscale holds back.
    int row = 3 * frame->width, stride = FFALIGN(row, 64) + 64;
    uint8_t *rows = need(av_mallocz((size_t)(2 * STRIPE_ROWS + 1) * stride)), *stripe = rows + stride;
    for (int from = 0, done = 0; ready && from < frame->height; from += STRIPE_ROWS) {
        const uint8_t *source[4] = {0};
        for (int plane = 0; plane < 4 && frame->data[plane]; plane++) {
            int y = plane == 1 || plane == 2 ? from >> format->log2_chroma_h : from;
            source[plane] = frame->data[plane] + (ptrdiff_t)y * frame->linesize[plane];
        }
        uint8_t *target[4] = {stripe - (ptrdiff_t)done * stride};
        int target_stride[4] = {stride};
        int count = FFMIN(STRIPE_ROWS, frame->height - from);
        count = sws_scale(scaler, source, frame->linesize, from, count, target, target_stride);
        ready = count >= 0;
        for (int y = 0; y < count; y++, done++)
            filter_paeth(filtered + (size_t)done * (row + 1), stripe + y * stride, stripe + (y - 1) * stride, row);
        if (count > 0) memcpy(rows, stripe + (ptrdiff_t)(count - 1) * stride, row);
    }
    av_free(rows);
    sws_freeContext(scaler);
    return ready;
}

static bool write_chunks(FILE *file, const AVFrame *frame, const uint8_t *data, size_t size) {
    png_structp png = need(png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL));
    png_infop info = need(png_create_info_struct(png));
    bool failed = setjmp(png_jmpbuf(png));
    if (!failed) {
        png_init_io(png, file);
        png_set_IHDR(png, info, frame->width, frame->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
        png_write_info(png, info);
        png_write_chunk(png, (png_const_bytep) "IDAT", data, size);
        png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
    }
    png_destroy_write_struct(&png, &info);
    return !failed;
}

static bool write_png(const char *folder, const char *source, const AVFrame *frame, Scratch *scratch) {
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source, *dot = strrchr(name, '.');
    int stem = dot ? (int)(dot - name) : (int)strlen(name);
    char path[4096], partial[4096 + 8];
    snprintf(path, sizeof path, "%s/%.*s.png", folder, stem, name);
    snprintf(partial, sizeof partial, "%s.partial", path);

    size_t size = (size_t)frame->height * (3 * frame->width + 1);
    size_t bound = libdeflate_zlib_compress_bound(scratch->compressor, size);
    uint8_t *filtered = grow(&scratch->filtered, &scratch->filtered_size, size);
    uint8_t *compressed = grow(&scratch->compressed, &scratch->compressed_size, bound);
    if (!filter_rgb(frame, filtered)) return false;
    size = libdeflate_zlib_compress(scratch->compressor, filtered, size, compressed, bound);

    FILE *file = size ? fopen(partial, "wb") : NULL;
    if (!file) return false;
    bool written = write_chunks(file, frame, compressed, size);
    if (fclose(file) == 0 && written) return rename(partial, path) == 0;
    remove(partial);
    return false;
}

// MARK: One file

static const char *inspect(Clip *clip, const char *folder, const char *path, Scratch *scratch) {
    if (avformat_open_input(&clip->format, path, NULL, NULL) < 0) return "cannot open";
    const AVCodec *codec = NULL;
    int index = av_find_best_stream(clip->format, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (index < 0 || !codec) return "no video that can be decoded";
    clip->stream = clip->format->streams[index];
    for (unsigned i = 0; i < clip->format->nb_streams; i++)
        if ((int)i != index) clip->format->streams[i]->discard = AVDISCARD_ALL;
    if (!avformat_index_get_entries_count(clip->stream)) return "no index";

    clip->decoder = need(avcodec_alloc_context3(codec));
    clip->decoder->thread_count = 1;
    clip->decoder->pkt_timebase = clip->stream->time_base;
    if (avcodec_parameters_to_context(clip->decoder, clip->stream->codecpar) < 0 ||
        avcodec_open2(clip->decoder, codec, NULL) < 0 || decode_ends(clip) < 0)
        return "cannot decode";
    avcodec_free_context(&clip->decoder);  // gives its frames back before the PNG needs memory

    const Reduced *first = reduced_at(clip, clip->head.pts[0]), *last = reduced_at(clip, clip->tail.pts[0]);
    if (!first || !last) return "a wanted frame did not come out of the decoder";
    double difference = 0;
    for (int i = 0; i < CELLS; i++) difference += FFABS(first->cells[i] - last->cells[i]) / CELLS;
    if (!write_png(folder, path, clip->first, scratch)) return "cannot write the PNG";
    printf("%s %d %d %" PRId64 " %" PRId64 " %.3f\n", path, clip->stream->codecpar->width,
           clip->stream->codecpar->height, first->pts, last->pts, difference);
    return NULL;
}

int main(int count, char **arguments) {
    int at = 1;
    for (; at < count && arguments[at][0] == '-'; at++) {
        if (!strcmp(arguments[at], "--ends") && at + 1 < count)
            end_frames = atoi(arguments[++at]);
        else
            break;
    }
    if (count < at + 2 || arguments[at][0] == '-' || end_frames < 1 || end_frames > MOST_END_FRAMES)
        return fputs("usage: limit [--ends N] OUTPUT_DIR FILE...\n", stderr), 64;
    const char *folder = arguments[at];
    Scratch scratch = {.compressor = need(libdeflate_alloc_compressor(1))};
    int failures = 0;
    av_log_set_level(AV_LOG_ERROR);
    for (int i = at + 1; i < count; i++) {
        Clip clip = {.head.direction = -1, .tail.direction = 1};
        clip.frame = need(av_frame_alloc());
        clip.first = need(av_frame_alloc());
        const char *problem = inspect(&clip, folder, arguments[i], &scratch);
        if (problem) fprintf(stderr, "limit: %s: %s\n", arguments[i], problem), failures++;
        packets_clear(&clip.packets);
        free(clip.packets.list);
        av_frame_free(&clip.first);
        av_frame_free(&clip.frame);
        avcodec_free_context(&clip.decoder);
        avformat_close_input(&clip.format);
    }
    libdeflate_free_compressor(scratch.compressor);
    free(scratch.filtered);
    free(scratch.compressed);
    return failures ? 2 : 0;
}
