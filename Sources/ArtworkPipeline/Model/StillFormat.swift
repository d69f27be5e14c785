/// A file format of stills that may lie beside videos: covers, and previews that somebody supplies.
///
/// ``all`` is the one list of them. Which files are looked for, what libavformat may open them with and what reports
/// call them is made from it. The decoder comes from ``VideoCodec``.
struct StillFormat: Sendable {
  /// The name in reports; see ``StillPicture/format``.
  let name: String
  let title: String
  /// libavformat's demuxer and libavcodec's codec.
  let demuxer: String
  let codec: String
  /// Of file names, in lower case.
  let extensions: [String]

  static let all = [
    StillFormat(
      name: "png", title: "PNG", demuxer: "png_pipe", codec: "png", extensions: ["png"]),
    StillFormat(
      name: "jpeg", title: "JPEG", demuxer: "jpeg_pipe", codec: "mjpeg",
      extensions: ["jpg", "jpeg"]),
  ]

  /// For example `PNG or JPEG`.
  static let titles = all.map(\.title).listed("or")

  /// Of all formats.
  static let extensions = Set(all.flatMap(\.extensions))
}
