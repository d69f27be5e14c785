/// A file format of stills that may lie beside videos: covers, and previews that somebody supplies.
///
/// ``all`` is the one list of them. Which files are looked for, what libavformat may open them with and what reports
/// call them is made from it. The decoder comes from ``VideoCodec``.
package struct StillFormat: Sendable {
  /// The name in reports; see ``StillPicture/format``.
  package let name: String
  package let title: String
  /// libavformat's demuxer and libavcodec's codec.
  package let demuxer: String
  package let codec: String
  /// Of file names, in lower case.
  package let extensions: [String]

  package static let all = [
    StillFormat(
      name: "png", title: "PNG", demuxer: "png_pipe", codec: "png", extensions: ["png"]),
    StillFormat(
      name: "jpeg", title: "JPEG", demuxer: "jpeg_pipe", codec: "mjpeg",
      extensions: ["jpg", "jpeg"]),
  ]

  /// For example `PNG or JPEG`.
  package static let titles = all.map(\.title).listed("or")

  /// Of all formats.
  package static let extensions = Set(all.flatMap(\.extensions))
}
