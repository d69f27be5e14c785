import CFFmpeg

/// The decoders of libavcodec that may see a file, by ``VideoCodec``.
enum AllowedDecoders {
  static let codecs: [AVCodecID] = VideoCodec.all.filter(\.isDecoded).compactMap {
    avcodec_descriptor_get_by_name($0.name)?.pointee.id
  }

  static func contains(_ codec: AVCodecID) -> Bool { codecs.contains(codec) }

  /// The decoders' own names, in the format of the `codec_whitelist` of libavformat and libavcodec. No audio decoder
  /// is among them: analysis decodes no audio.
  static let names: String =
    codecs
    .compactMap { avcodec_find_decoder($0).map { String(cString: $0.pointee.name) } }
    .joined(separator: ",")
}
