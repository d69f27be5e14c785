import ArtworkModel
import CFFmpeg

/// The video codecs whose decoders may see a file: what AVFoundation plays, what a container that people
/// mistake for it usually holds, and what editors export. Every decoder of libavcodec is an attack
/// surface; of about 250 these are left.
enum VideoCodec {
  static let allowed: [AVCodecID] = [
    AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_PRORES, AV_CODEC_ID_AV1, AV_CODEC_ID_MPEG4,
    AV_CODEC_ID_H263, AV_CODEC_ID_MJPEG, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_MPEG1VIDEO,
    AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_QTRLE, AV_CODEC_ID_PNG, AV_CODEC_ID_APNG, AV_CODEC_ID_GIF,
  ]

  static func isAllowed(_ codec: AVCodecID) -> Bool { allowed.contains(codec) }

  /// The names of the decoders for ``allowed``, as libavformat's and libavcodec's `codec_whitelist`
  /// want them. There is no sound among them: analysis decodes none.
  static let decoders: String =
    allowed
    .compactMap { avcodec_find_decoder($0).map { String(cString: $0.pointee.name) } }
    .joined(separator: ",")
}
