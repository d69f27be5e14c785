package import ArtworkModel

/// What a session wants of a video.
package struct RenditionRequest: Sendable, Equatable {
  /// The box that it fills, in pixels; `nil` for the video as it is.
  package var size: PixelSize?
  /// The codecs that the player decodes; `nil` for all.
  package var codecs: Set<String>?

  package init(size: PixelSize? = nil, codecs: Set<String>? = nil) {
    self.size = size
    self.codecs = codecs
  }

  /// Whether the player plays a video of this codec. Moving pictures are not videos, unless it names their codec.
  ///
  /// - Parameter broken: the rules that the video breaks; a player that names no codecs plays what Apple's systems do.
  func plays(_ codec: String, breaking broken: [String] = []) -> Bool {
    codecs?.contains(codec)
      ?? (!Presentation.picturesByCodec.contains(codec)
        && Presentation.rulesForVersion(broken, codec).isEmpty)
  }
}

/// What a browser asks for in place of a stored file (``AssetStore/video(_:choosing:)``).
package enum WebVideo: String, Sendable, CaseIterable {
  /// H.264, in the size of the video.
  case mp4
  /// VP9, with a shorter side of at most ``RenditionKey/Form/longestShortSide`` pixels.
  case webm
  /// An animated picture, as `artworkd export` makes it.
  case webp

  package var contentType: String { self == .webp ? "image/webp" : "video/\(rawValue)" }

  /// Whether this build can make it.
  package var isAvailable: Bool { self != .webp || PictureFormat.webp.isAvailable }
}

/// A version of a stored video that the store makes itself: H.264, in a smaller size, in place of another codec or of moving
/// pictures; or another form of it.
struct RenditionKey: Hashable, Codable, Sendable {
  /// What sessions get as the video itself, and what browsers ask for.
  enum Form: String, Codable {
    /// HEVC with the packets of the video, under the sample entry that Apple systems play.
    case hvc1
    case webm, webp

    /// Size in its pixels.
    var longestShortSide: Int {
      switch self {
      case .hvc1: .max
      case .webm: 1080
      case .webp: 480
      }
    }

    /// Bytes of an animated picture: what chats and servers take without asking.
    static let mostPictureBytes = 8_000_000
  }

  /// Hexadecimal SHA-256 of the video that it is made of.
  var digest: String
  /// Displayed size in pixels; both sides are even. An animated picture may be smaller, so that its bytes fit.
  var size: PixelSize
  /// `nil` for H.264 in MP4.
  var form: Form?

  /// The codec of renditions without a ``form``.
  static let codec = Presentation.codecOfVersions

  /// The shorter sides of smaller versions, in pixels, so that windows of all sizes share a few files. Sides in the shape
  /// 3:4 come out even.
  static let sides = [240, 360, 540, 720, 1080, 1440, 2160]

  init(digest: String, size: PixelSize, form: Form? = nil) {
    self.digest = digest
    self.size = size
    self.form = form
  }

  /// Another form of a video, as large as the form and the video are.
  ///
  /// - Parameter video: its size as shown, and its codec.
  init?(of digest: String, _ video: (size: PixelSize, codec: String), as form: Form?) {
    let shorter = min(video.size.width, video.size.height)
    let most = form?.longestShortSide ?? .max
    guard
      let size = Self.even(
        video.size,
        scale: shorter > most ? Double(most) / Double(shorter) : Self.enlargement(of: video))
    else { return nil }
    self.init(digest: digest, size: size, form: form)
  }

  /// The version that suits a request; `nil` if the video itself does.
  ///
  /// - Parameters:
  ///   - video: its size as shown, and its codec.
  ///   - isPlayable: whether the player plays the video.
  init?(
    of digest: String, _ video: (size: PixelSize, codec: String),
    for renditionRequest: RenditionRequest, isPlayable: Bool
  ) {
    guard renditionRequest.plays(Self.codec),
      let size = renditionRequest.size.flatMap({ Self.size(of: video.size, filling: $0) })
        ?? (isPlayable ? nil : Self.even(video.size, scale: Self.enlargement(of: video)))
    else { return nil }
    self.init(digest: digest, size: size)
  }

  /// The smallest version that need not be enlarged to fill the box.
  ///
  /// - Returns: `nil` where it would have more than two thirds of the video's pixels: making it would not pay.
  private static func size(of video: PixelSize, filling box: PixelSize) -> PixelSize? {
    let needed = video.limited(to: box)
    let (shown, whole) = (min(needed.width, needed.height), min(video.width, video.height))
    guard let side = sides.first(where: { $0 >= shown }), side * side * 3 <= whole * whole * 2
    else { return nil }
    return even(video, scale: Double(side) / Double(whole))
  }

  /// A drawing is sharp at any size, so a small one fills the width of a phone's screen.
  private static func enlargement(of video: (size: PixelSize, codec: String)) -> Double {
    guard video.codec == "lottie" else { return 1 }
    return max(1, drawnSide / Double(max(1, min(video.size.width, video.size.height))))
  }

  private static let drawnSide = 1080.0

  private static func even(_ size: PixelSize, scale: Double) -> PixelSize? {
    func side(_ length: Int) -> Int {
      (wholeNumber((Double(length) * scale / 2).rounded(.down)) ?? 0) * 2
    }
    let (width, height) = (side(size.width), side(size.height))
    return width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
  }
}
