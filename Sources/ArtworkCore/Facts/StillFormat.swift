/// A file format of stills beside videos: covers, and supplied previews.
///
/// ``all`` is the only list of them. It determines which files are searched, which demuxers libavformat may use, and
/// the names in reports. The decoder comes from ``VideoCodec``.
package struct StillFormat: Sendable {
  /// The name in reports; see ``StillPicture/format``.
  package let name: String
  package let title: String
  /// libavformat's demuxer and libavcodec's codec.
  package let demuxer: String
  package let codec: String
  /// File name extensions of the format, in lower case.
  package let extensions: [String]

  package static let all = [
    StillFormat(
      name: "png", title: "PNG", demuxer: "png_pipe", codec: "png", extensions: ["png"]),
    StillFormat(
      name: "jpeg", title: "JPEG", demuxer: "jpeg_pipe", codec: "mjpeg",
      extensions: ["jpg", "jpeg"]),
  ]

  /// The titles of all formats, for example `PNG or JPEG`.
  package static let titles = all.map(\.title).listed("or")

  /// Whether the first bytes of a file are those of one of these formats (PNG, third edition, 5.2; JPEG, B.2).
  package static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      || bytes.starts(with: [0xFF, 0xD8, 0xFF])
  }

  /// File name extensions of all formats.
  package static let extensions = Set(all.flatMap(\.extensions))
}
