// The least that FFmpeg's libraries and libx264 allow for a video of an animation: decodes, scales and encodes as
// `artworkd import` does by default, and writes an MP4 file with its header first.
//
//     cc -O2 import.c $(pkg-config --cflags --libs libavformat libavcodec libswscale libavutil)
//     a.out IN WIDTH HEIGHT OUT.mp4
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
#include <stdlib.h>

static void need(int ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "import: %s\n", what);
    exit(1);
  }
}

static AVCodecContext *encoder;
static AVFormatContext *movie;
static AVPacket *coded;

static void encode(AVFrame *frame) {
  need(avcodec_send_frame(encoder, frame) >= 0, "encode");
  while (avcodec_receive_packet(encoder, coded) >= 0) {
    coded->duration = 1;
    av_packet_rescale_ts(coded, encoder->time_base, movie->streams[0]->time_base);
    need(av_write_frame(movie, coded) >= 0, "write");
    av_packet_unref(coded);
  }
}

int main(int count, char **words) {
  need(count == 5, "IN WIDTH HEIGHT OUT.mp4");
  AVFormatContext *source = NULL;
  need(avformat_open_input(&source, words[1], NULL, NULL) >= 0, "open");
  need(avformat_find_stream_info(source, NULL) >= 0, "analyse");
  int index = av_find_best_stream(source, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
  AVStream *stream = source->streams[index];
  const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
  AVCodecContext *decoder = avcodec_alloc_context3(codec);
  avcodec_parameters_to_context(decoder, stream->codecpar);
  decoder->thread_count = 1;
  need(avcodec_open2(decoder, codec, NULL) >= 0, "decoder");

  codec = avcodec_find_encoder_by_name("libx264");
  encoder = avcodec_alloc_context3(codec);
  encoder->width = atoi(words[2]);
  encoder->height = atoi(words[3]);
  encoder->pix_fmt = AV_PIX_FMT_YUV420P;
  encoder->time_base = av_inv_q(stream->avg_frame_rate);
  encoder->framerate = stream->avg_frame_rate;
  encoder->max_b_frames = 0;
  encoder->thread_count = 1;
  encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP;
  AVDictionary *options = NULL;
  av_dict_set(&options, "crf", "16", 0);
  av_dict_set(&options, "x264-params", "threads=1:lookahead-threads=1:sync-lookahead=0", 0);
  need(avcodec_open2(encoder, codec, &options) >= 0, "encoder");

  avformat_alloc_output_context2(&movie, NULL, "mp4", words[4]);
  AVStream *track = avformat_new_stream(movie, NULL);
  avcodec_parameters_from_context(track->codecpar, encoder);
  track->time_base = encoder->time_base;
  need(avio_open(&movie->pb, words[4], AVIO_FLAG_WRITE) >= 0, "output");
  options = NULL;
  av_dict_set(&options, "movflags", "+faststart", 0);
  need(avformat_write_header(movie, &options) >= 0, "header");

  AVFrame *frame = av_frame_alloc(), *planes = av_frame_alloc();
  AVPacket *packet = av_packet_alloc();
  coded = av_packet_alloc();
  planes->format = AV_PIX_FMT_YUV420P;
  planes->width = encoder->width;
  planes->height = encoder->height;
  struct SwsContext *scaler = NULL;
  int64_t time = 0;
  for (int ended = 0; !ended;) {
    ended = av_read_frame(source, packet) < 0;
    if (!ended && packet->stream_index != index) {
      av_packet_unref(packet);
      continue;
    }
    avcodec_send_packet(decoder, ended ? NULL : packet);
    av_packet_unref(packet);
    while (avcodec_receive_frame(decoder, frame) >= 0) {
      if (!scaler) {
        scaler = sws_getContext(
            frame->width, frame->height, frame->format, planes->width, planes->height,
            AV_PIX_FMT_YUV420P, SWS_LANCZOS | SWS_ACCURATE_RND, NULL, NULL, NULL);
        sws_setColorspaceDetails(
            scaler, sws_getCoefficients(SWS_CS_DEFAULT), 0, sws_getCoefficients(SWS_CS_ITU709), 0, 0,
            1 << 16, 1 << 16);
      }
      // The encoder may still hold the last one.
      av_buffer_unref(&planes->buf[0]);
      av_buffer_unref(&planes->buf[1]);
      av_buffer_unref(&planes->buf[2]);
      need(av_frame_get_buffer(planes, 0) >= 0, "memory");
      sws_scale(
          scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height,
          planes->data, planes->linesize);
      planes->pts = time++;
      encode(planes);
    }
  }
  encode(NULL);
  need(av_write_trailer(movie) >= 0, "trailer");
  avio_closep(&movie->pb);
  return 0;
}
