import CFFmpeg

/// The containers worth opening: what AVFoundation plays, and what people mistake for it and deserve
/// a clear answer about. Everything else (playlists above all) is refused before it is parsed.
enum ContainerFormat {
  /// libavformat's demuxer names.
  static let allowed = [
    "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "gif", "apng", "avi", "mpegts", "mpeg",
    "mpegvideo", "flv", "ogg", "asf",
  ]

  /// Demuxers whose sample tables and headers say everything needed, so that no packet has to be
  /// analysed up front.
  static let selfDescribing: Set<String> = ["mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"]

  static let isoMedia = "mov,mp4,m4a,3gp,3g2,mj2"

  /// What libavformat takes the first bytes of a file for, or `nil` when nothing recognises them.
  /// A few kilobytes are enough for everything in ``allowed``.
  static func probe(_ header: [UInt8]) -> String? {
    var padded = header
    padded.append(contentsOf: repeatElement(0, count: Int(AVPROBE_PADDING_SIZE)))
    return padded.withUnsafeMutableBufferPointer { buffer -> String? in
      var data = AVProbeData()
      data.buf = buffer.baseAddress
      data.buf_size = Int32(header.count)
      var score: Int32 = 0
      guard let format = av_probe_input_format3(&data, 1, &score), score > 0 else { return nil }
      return String(cString: format.pointee.name)
    }
  }
}
