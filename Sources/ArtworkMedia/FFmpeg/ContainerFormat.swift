import CFFmpeg

/// The containers that are opened: those that AVFoundation plays, and those that are often mistaken for video assets
/// and should get a clear answer. All others, especially playlists, are refused before they are parsed.
package enum ContainerFormat {
  /// libavformat's demuxer names.
  package static let allowed = [
    "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "gif", "apng", "avi", "mpegts", "mpeg",
    "mpegvideo", "flv", "ogg", "asf",
  ]

  /// Stills that lie beside videos. Of an animated PNG, the first picture is one.
  package static let stills = FileFormat.stills.compactMap(\.demuxer) + ["apng"]

  /// Sound, of which only tags are read.
  package static let sounds = [
    "mp3", "flac", "ogg", isoMedia, matroska, "wav", "aiff", "asf", "ape", "wv", "aac",
  ]

  /// Demuxers whose sample tables and headers contain everything needed, so that no packet has to be analysed up
  /// front.
  static let selfDescribing: Set<String> = [isoMedia, matroska]

  static let matroska = "matroska,webm"
  package static let isoMedia = "mov,mp4,m4a,3gp,3g2,mj2"

  /// The number of bytes that libavformat may probe to recognise a container: 128 KiB. The first few suffice for
  /// everything in ``allowed`` except MPEG streams, in which a few dozen packets are counted.
  static let recognitionBytes: UInt32 = 128 << 10

  /// The container that libavformat recognises at the start of `io`, which is rewound afterwards; `nil` if it
  /// recognises none.
  static func recognise(
    _ io: UnsafeMutablePointer<AVIOContext>
  ) throws(InspectionError) -> UnsafePointer<AVInputFormat>? {
    var format: UnsafePointer<AVInputFormat>? = nil
    let status = unsafe av_probe_input_buffer2(io, &format, "", nil, 0, recognitionBytes)
    if status == artwork_error_no_memory() {
      throw InspectionError(.outOfMemory, status: status, operation: "recognise the container")
    }
    return unsafe status < 0 ? nil : format
  }

  /// The container that libavformat recognises from the first bytes of a file, or `nil`. A few kilobytes are enough
  /// for everything in ``allowed``.
  package static func probe(_ header: [UInt8]) -> String? {
    var padded = header
    padded.append(contentsOf: repeatElement(0, count: Int(AVPROBE_PADDING_SIZE)))
    return unsafe padded.withUnsafeMutableBufferPointer { buffer -> String? in
      var data = unsafe AVProbeData()
      unsafe data.buf = buffer.baseAddress
      unsafe data.buf_size = Int32(header.count)
      var score: Int32 = 0
      guard let format = unsafe av_probe_input_format3(&data, 1, &score), score > 0 else {
        return nil
      }
      return unsafe String(cString: format.pointee.name)
    }
  }
}
