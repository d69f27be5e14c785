/// The formats of pictures, still and moving, and what each can do: the only table of them. WebM is a video, for browsers,
/// that keeps transparency as the pictures do.
///
/// The raw value names a format in reports and options, and is an extension of its file names.
public enum FileFormat: String, Sendable, Codable, CaseIterable {
  case webp, png, gif, avif, webm, jpeg

  private struct Traits {
    /// The usual name.
    var title: String
    /// Extensions of file names, in lower case.
    var extensions: [String]
    /// libavcodec's codec of a still.
    var codec: String
    /// libavformat's demuxer of a still; `nil` for a format that is read without one.
    var demuxer: String?
    /// What `--quality` takes; `nil` for a format without loss.
    var quality: ClosedRange<Int>?
    /// The qualities that are worth trying, best first.
    var qualities = [0]
    /// The divisor of widths and heights.
    var unit = 1
    /// The first bytes of a file, and others at a place (PNG, third edition, 5.2; JPEG, B.2; RFC 9649, 2.4; RFC 8794, 11.2.1).
    var start: [UInt8] = []
    var place = 0
    var marks = [""]
  }

  private var traits: Traits {
    switch self {
    case .webp:
      Traits(
        title: "WebP", extensions: ["webp"], codec: "webp", quality: 0...100,
        qualities: [82, 70, 56, 40], start: Array("RIFF".utf8), place: 8,
        marks: ["WEBP"])
    case .png:
      Traits(
        title: "PNG", extensions: ["png"], codec: "png", demuxer: "png_pipe",
        start: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .gif:
      Traits(
        title: "GIF", extensions: ["gif"], codec: "gif", quality: 2...255,
        qualities: [255, 192, 128, 64], start: Array("GIF89a".utf8))
    // Its brand, or one of HEIF, whose pictures may be coded otherwise (AVIF, 6 and 8). One chroma sample for four pixels.
    case .avif:
      Traits(
        title: "AVIF", extensions: ["avif"], codec: "av1", quality: 0...63,
        qualities: [43, 36, 29, 20], unit: 2, place: 4,
        marks: ["avif", "avis", "mif1", "miaf", "heic"].map { "ftyp" + $0 })
    case .webm:
      Traits(
        title: "WebM", extensions: ["webm"], codec: "vp9", quality: 0...63,
        qualities: [39, 33, 27, 18], unit: 2, start: [0x1A, 0x45, 0xDF, 0xA3])
    case .jpeg:
      Traits(
        title: "JPEG", extensions: ["jpg", "jpeg"], codec: "mjpeg", demuxer: "jpeg_pipe",
        start: [0xFF, 0xD8, 0xFF])
    }
  }

  package var title: String { traits.title }
  package var extensions: [String] { traits.extensions }
  package var codec: String { traits.codec }
  package var demuxer: String? { traits.demuxer }
  package var qualityRange: ClosedRange<Int>? { traits.quality }
  public var qualities: [Int] { traits.qualities }
  package var unit: Int { traits.unit }
  /// The name of the container of moving pictures in ``MediaFacts``.
  package var container: String { self == .png ? "apng" : rawValue }

  /// Formats of stills beside videos, in the order of preference: covers, and supplied previews.
  package static let stills: [FileFormat] = [.png, .jpeg, .webp, .avif]
  /// Formats that previews are written in.
  public static let previews: [FileFormat] = [.png, .webp]
  /// Formats that moving pictures are written in.
  public static let animations: [FileFormat] = [.webp, .png, .gif, .avif, .webm]

  /// The titles of all formats of stills, for example `PNG, JPEG, WebP or AVIF`.
  package static let stillTitles = stills.map(\.title).listed("or")
  /// File name extensions of all formats of stills.
  package static let stillExtensions = Set(stills.flatMap(\.extensions))

  /// Bytes by which a format is known.
  package static let signatureLength = 12

  /// Whether the first bytes of a file are those of this format.
  package func begins(_ bytes: some Sequence<UInt8>) -> Bool {
    let (bytes, traits) = (Array(bytes.prefix(Self.signatureLength)), traits)
    return bytes.starts(with: traits.start)
      && traits.marks.contains { bytes.dropFirst(traits.place).starts(with: $0.utf8) }
  }

  /// Whether the first bytes of a file are those of a still.
  package static func isStill(_ bytes: [UInt8]) -> Bool { stills.contains { $0.begins(bytes) } }
}

extension FileFormat {
  /// What people call the containers of ``MediaFacts``, and their media types.
  private static let containers = [
    "mp4": ("an MP4 movie", "video/mp4"), "mov": ("a QuickTime movie", "video/quicktime"),
    "3gp": ("a 3GP movie", "video/mp4"), "gif": ("an animated GIF", "image/gif"),
    "apng": ("an animated PNG", "image/apng"), "webp": ("an animated WebP", "image/webp"),
    "avif": ("an AVIF image sequence", "image/avif"), "webm": ("WebM", "video/webm"),
    "matroska": ("Matroska", "video/x-matroska"), "avi": ("AVI", "video/x-msvideo"),
    "mpegts": ("an MPEG transport stream", "video/mp2t"),
    "lottie": ("a Lottie animation", "application/json"),
    "dotlottie": ("a dotLottie archive", "application/zip+dotlottie"),
    "tgs": ("a Telegram sticker", "application/x-tgsticker"),
  ]

  /// The container in words, with its article.
  package static func name(ofContainer name: String) -> String {
    containers[name]?.0 ?? "a \(name) file"
  }

  /// The media type under which a file in this container is sent; that of MP4 for an unknown one.
  package static func mediaType(ofContainer name: String?) -> String {
    name.flatMap { containers[$0]?.1 } ?? "video/mp4"
  }
}
