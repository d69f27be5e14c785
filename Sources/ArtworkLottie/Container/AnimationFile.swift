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
  ///   - name: which animation of an archive with several; the first if `nil`.
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

/// An archive of animations (dotLottie 1.0 and 2.0, dotlottie.io). Themes and state machines are not for files.
struct DotLottie {
  private let archive: ZIPArchive
  /// Names of the animations, in the order of the manifest.
  let names: [String]
  /// Folders of animations and of pictures.
  private let folders: (animations: String, images: String)

  init(_ archive: ZIPArchive) throws(InspectionError) {
    self.archive = archive
    guard let manifest = try archive.file("manifest.json") else {
      throw InspectionError(.notAMovie, "this ZIP archive is no dotLottie: it has no manifest.json")
    }
    let list = try JSONReader.read(manifest)
    names = (list["animations"]?.items ?? []).compactMap { $0["id"]?.text }
    let isSecond = archive.names.contains { $0.hasPrefix("a/") }
    folders = isSecond ? ("a/", "i/") : ("animations/", "images/")
  }

  /// - Parameter name: the first if `nil`.
  func animation(named name: String?) throws(InspectionError) -> Animation {
    guard let first = names.first else {
      throw InspectionError(.noVideo, "the archive lists no animation")
    }
    if let name, !names.contains(name) {
      throw InspectionError(
        .noMatch,
        "the archive has no animation '\(name)'"
          + NearestWord.suggestion(for: name, among: names))
    }
    let file = "\(folders.animations)\(name ?? first).json"
    guard let json = try archive.file(file) else {
      throw InspectionError(.decodeFailed, "the archive lacks its file \(file)")
    }
    var animation = try AnimationFile.animation(json)
    var images: [String: [UInt8]] = [:]
    for path in animation.externalImages {
      // Documents name their own folder, such as /images/.
      let name = path.lastName
      images[name] = try archive.file(folders.images + name)
    }
    animation.embed(images)
    return animation
  }
}
