public import ArtworkModel

/// A file with an animation.
public struct AnimationFile: Sendable {
  /// The forms in which animations travel.
  public enum Form: String, Sendable, Codable {
    /// JSON.
    case json = "lottie"
    /// A ZIP archive of animations and their pictures (dotLottie 1 and 2).
    case dotLottie = "dotlottie"
    /// JSON that gzip compressed, as Telegram's stickers.
    case tgs
  }

  public let form: Form
  /// The names of the animations in an archive; empty for other forms.
  public let names: [String]
  public var animation: Animation

  /// Bytes of JSON; the largest public animations have one megabyte.
  static let mostBytes = 32 << 20

  /// Reads an animation from a file in any of these forms.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - name: which animation of an archive with several; the one that players begin with if `nil`.
  /// - Throws: as ``Animation/init(json:)``; `no-match` for a name that the archive does not have; `decode-failed` for
  ///   damaged files, `too-large` for more than 32 MiB of JSON and archives that unpack to more than 64 MiB.
  public init(_ bytes: [UInt8], animation name: String? = nil) throws(InspectionError) {
    if bytes.starts(with: "PK".utf8) {
      let archive = try DotLottie(ZIPArchive(bytes))
      form = .dotLottie
      names = archive.names
      animation = try archive.animation(named: name)
      return
    }
    guard name == nil else {
      throw InspectionError(.noMatch, "only dotLottie archives hold several animations")
    }
    let isPacked = bytes.starts(with: [0x1f, 0x8b])
    form = isPacked ? .tgs : .json
    names = []
    animation = try Self.animation(isPacked ? Inflater.gunzip(bytes, most: Self.mostBytes) : bytes)
  }

  static func animation(_ json: [UInt8]) throws(InspectionError) -> Animation {
    guard json.count <= mostBytes else {
      throw InspectionError(
        .tooLarge, "the animation has \(json.count) bytes (limit \(mostBytes))")
    }
    return try Animation(json: json)
  }
}
