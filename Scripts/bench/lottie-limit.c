// The least that drawing and encoding a Lottie animation costs with the libraries that artworkd uses: rlottie draws each
// frame, libswscale converts it, libx264 encodes it with the settings of artworkd import, and the packets are dropped.
//
//     lottie-limit FILE SIDE draw|encode
//
// Prints the number of frames.
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
#include <rlottie_capi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what) {
  fprintf(stderr, "lottie-limit: %s\n", what);
  exit(1);
}

static char *contents(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) fail("cannot read the file");
  long length = ftell(file);
  rewind(file);
  char *text = calloc(1, (size_t)length + 1);
  if (fread(text, 1, (size_t)length, file) != (size_t)length) fail("cannot read the file");
  fclose(file);
  return text;
}

static AVCodecContext *encoder(int side, double rate) {
  const AVCodec *codec = avcodec_find_encoder_by_name("libx264");
  AVCodecContext *context = avcodec_alloc_context3(codec);
  context->width = context->height = side;
  context->pix_fmt = AV_PIX_FMT_YUV420P;
  context->time_base = av_d2q(1 / rate, 100000);
  context->max_b_frames = 0;
  context->thread_count = 1;
  AVDictionary *options = NULL;
  av_dict_set(&options, "crf", "16", 0);
  av_dict_set(&options, "profile", "high", 0);
  av_dict_set(&options, "x264-params", "threads=1:lookahead-threads=1:sync-lookahead=0", 0);
  if (avcodec_open2(context, codec, &options) != 0) fail("cannot open libx264");
  return context;
}

static void drop_packets(AVCodecContext *context, AVPacket *packet) {
  while (avcodec_receive_packet(context, packet) == 0) av_packet_unref(packet);
}

int main(int count, char **arguments) {
  if (count != 4) fail("usage: lottie-limit FILE SIDE draw|encode");
  int side = atoi(arguments[2]), encodes = strcmp(arguments[3], "encode") == 0;
  char *text = contents(arguments[1]);
  Lottie_Animation *animation = lottie_animation_from_data(text, "", "");
  if (!animation) fail("rlottie does not take this file");
  size_t frames = lottie_animation_get_totalframe(animation);
  uint32_t *pixels = calloc((size_t)side * (size_t)side, 4);
  AVCodecContext *context = encodes ? encoder(side, lottie_animation_get_framerate(animation)) : NULL;
  struct SwsContext *scaler = sws_getContext(side, side, AV_PIX_FMT_BGR0, side, side, AV_PIX_FMT_YUV420P,
                                             SWS_BICUBIC | SWS_ACCURATE_RND, NULL, NULL, NULL);
  AVFrame *frame = av_frame_alloc();
  AVPacket *packet = av_packet_alloc();
  frame->width = frame->height = side;
  frame->format = AV_PIX_FMT_YUV420P;
  for (size_t number = 0; number < frames; number++) {
    memset(pixels, 0, (size_t)side * (size_t)side * 4);
    lottie_animation_render(animation, number, pixels, (size_t)side, (size_t)side, (size_t)side * 4);
    if (!encodes) continue;
    if (av_frame_get_buffer(frame, 0) != 0) fail("out of memory");
    // Premultiplied colours are those over black.
    const uint8_t *planes[] = {(const uint8_t *)pixels};
    const int strides[] = {side * 4};
    sws_scale(scaler, planes, strides, 0, side, frame->data, frame->linesize);
    frame->pts = (int64_t)number;
    if (avcodec_send_frame(context, frame) != 0) fail("cannot encode");
    av_frame_unref(frame);
    frame->width = frame->height = side;
    frame->format = AV_PIX_FMT_YUV420P;
    drop_packets(context, packet);
  }
  if (encodes) {
    avcodec_send_frame(context, NULL);
    drop_packets(context, packet);
  }
  printf("%zu\n", frames);
  return 0;
}
