/// A file format of stills beside videos: covers, and supplied previews.
///
/// ``all`` is the only list of them. It determines which files are searched, which demuxers libavformat may use, and
/// the names in reports. The decoder comes from ``VideoCodec``.
package struct StillFormat: Sendable {
  /// The name in reports; see ``StillPicture/format``.
  package let name: String
  package let title: String
  /// libavformat's demuxer; `nil` for a format that is read without one.
  package let demuxer: String?
  /// libavcodec's codec.
  package let codec: String
  /// File name extensions of the format, in lower case.
  package let extensions: [String]

  package static let png = StillFormat(
    name: "png", title: "PNG", demuxer: "png_pipe", codec: "png", extensions: ["png"])
  package static let jpeg = StillFormat(
    name: "jpeg", title: "JPEG", demuxer: "jpeg_pipe", codec: "mjpeg", extensions: ["jpg", "jpeg"])
  package static let webp = StillFormat(
    name: "webp", title: "WebP", demuxer: nil, codec: "webp", extensions: ["webp"])
  package static let avif = StillFormat(
    name: "avif", title: "AVIF", demuxer: nil, codec: "av1", extensions: ["avif"])

  package static let all = [png, jpeg, webp, avif]

  /// The titles of all formats, for example `PNG, JPEG, WebP or AVIF`.
  package static let titles = all.map(\.title).listed("or")

  /// Bytes by which a format is known.
  package static let signatureLength = 12

  /// Whether the first bytes of a file are those of this format (PNG, third edition, 5.2; JPEG, B.2; RFC 9649, 2.4; AVIF,
  /// 6 and 8, or a brand of HEIF, whose pictures may be coded otherwise).
  package func begins(_ bytes: [UInt8]) -> Bool {
    func has(_ text: String, at place: Int) -> Bool {
      bytes.dropFirst(place).starts(with: text.utf8)
    }
    return switch name {
    case "png": bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case "jpeg": bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case "webp": has("RIFF", at: 0) && has("WEBP", at: 8)
    default:
      has("ftyp", at: 4) && ["avif", "avis", "mif1", "miaf", "heic"].contains { has($0, at: 8) }
    }
  }

  /// Whether the first bytes of a file are those of one of these formats.
  package static func begins(_ bytes: [UInt8]) -> Bool { all.contains { $0.begins(bytes) } }

  /// File name extensions of all formats.
  package static let extensions = Set(all.flatMap(\.extensions))
}
