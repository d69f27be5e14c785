// The least that a derived clip takes: decode, crop, encode with libx264, write.
//
//     derive INPUT OUTPUT X Y WIDTH HEIGHT
//
// One thread, no choice of the part, no check of the result. The encoder's settings are those of VideoEncoder.swift. All
// numbers are even, and the input is 4:2:0 with 8 bits.

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int status, const char *what) {
    if (status >= 0) return;
    fprintf(stderr, "%s: %s\n", what, av_err2str(status));
    exit(1);
}

static AVFormatContext *output;
static AVCodecContext *encoder;
static AVPacket *packet;

static void write_packets(AVRational base) {
    while (avcodec_receive_packet(encoder, packet) == 0) {
        packet->stream_index = 0;
        av_packet_rescale_ts(packet, base, output->streams[0]->time_base);
        check(av_write_frame(output, packet), "write");
        av_packet_unref(packet);
    }
}

int main(int count, char **words) {
    if (count != 7) return 64;
    const int x = atoi(words[3]), y = atoi(words[4]), width = atoi(words[5]), height = atoi(words[6]);
    AVFormatContext *input = NULL;
    check(avformat_open_input(&input, words[1], NULL, NULL), "open");
    check(avformat_find_stream_info(input, NULL), "analyse");
    const AVCodec *codec = NULL;
    const int index = av_find_best_stream(input, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    check(index, "video");
    AVStream *stream = input->streams[index];
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    check(avcodec_parameters_to_context(decoder, stream->codecpar), "parameters");
    decoder->thread_count = 1;
    check(avcodec_open2(decoder, codec, NULL), "decoder");

    const AVCodec *x264 = avcodec_find_encoder_by_name("libx264");
    encoder = avcodec_alloc_context3(x264);
    encoder->width = width;
    encoder->height = height;
    encoder->pix_fmt = AV_PIX_FMT_YUV420P;
    encoder->time_base = stream->time_base;
    encoder->framerate = stream->avg_frame_rate;
    encoder->max_b_frames = 0;
    encoder->thread_count = 1;
    encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP;
    AVDictionary *options = NULL;
    av_dict_set(&options, "crf", "16", 0);
    av_dict_set(&options, "profile", "high", 0);
    av_dict_set(&options, "x264-params", "threads=1:lookahead-threads=1:sync-lookahead=0:rc-lookahead=40", 0);
    check(avcodec_open2(encoder, x264, &options), "encoder");

    check(avformat_alloc_output_context2(&output, NULL, "mp4", words[2]), "output");
    AVStream *track = avformat_new_stream(output, NULL);
    check(avcodec_parameters_from_context(track->codecpar, encoder), "track");
    track->time_base = stream->time_base;
    check(avio_open(&output->pb, words[2], AVIO_FLAG_WRITE), "file");
    check(avformat_write_header(output, NULL), "header");

    AVFrame *frame = av_frame_alloc();
    packet = av_packet_alloc();
    AVPacket *read = av_packet_alloc();
    for (int more = 1; more;) {
        more = av_read_frame(input, read) >= 0;
        if (more && read->stream_index != index) {
            av_packet_unref(read);
            continue;
        }
        check(avcodec_send_packet(decoder, more ? read : NULL), "decode");
        av_packet_unref(read);
        while (avcodec_receive_frame(decoder, frame) == 0) {
            frame->data[0] += y * frame->linesize[0] + x;
            frame->data[1] += y / 2 * frame->linesize[1] + x / 2;
            frame->data[2] += y / 2 * frame->linesize[2] + x / 2;
            frame->width = width;
            frame->height = height;
            frame->pts = frame->best_effort_timestamp;
            frame->pict_type = AV_PICTURE_TYPE_NONE;
            check(avcodec_send_frame(encoder, frame), "encode");
            write_packets(stream->time_base);
            av_frame_unref(frame);
        }
    }
    check(avcodec_send_frame(encoder, NULL), "encode");
    write_packets(stream->time_base);
    check(av_write_trailer(output), "trailer");
    return avio_closep(&output->pb) < 0;
}
