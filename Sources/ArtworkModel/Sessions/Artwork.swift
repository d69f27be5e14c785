/// The static artwork of an item, like `Artwork` of the NowPlaying framework: an ID, and a provider of its picture.
/// The provider is called if the service has no cover with this ID.
public struct Artwork: Sendable {
  /// Changes whenever the picture does.
  public var id: ArtworkID
  public var provider: Provider

  /// Receives the wanted size in pixels; returns a picture of any size.
  public typealias Provider = @Sendable (PixelSize) async throws -> ArtworkRepresentation

  public init(id: ArtworkID, provider: @escaping Provider) {
    self.id = id
    self.provider = provider
  }

  /// `nil` for an ID that is empty or longer than ``ExactIdentity/longest``.
  public init?(id: String, provider: @escaping Provider) {
    guard let id = ArtworkID(id) else { return nil }
    self.init(id: id, provider: provider)
  }
}

/// A picture as the bytes of a file, like `ArtworkRepresentation` of the NowPlaying framework.
public struct ArtworkRepresentation: Sendable, Equatable {
  public let data: [UInt8]
  public let type: DataType

  public enum DataType: String, Sendable, CaseIterable {
    case jpeg
    case png
  }

  /// The bytes are neither a JPEG nor a PNG file.
  public struct UnsupportedType: Error {}

  /// The first bytes of every PNG file (PNG, third edition, 5.2).
  package static let pngSignature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Determines the type from the first bytes (for a JPEG: ITU-T T.81, B.2). The picture is not validated: the
  /// service refuses a damaged one.
  ///
  /// - Throws: ``UnsupportedType``.
  public init(data: some Sequence<UInt8>) throws(UnsupportedType) {
    self.data = Array(data)
    if self.data.starts(with: Self.pngSignature) {
      type = .png
    } else if self.data.starts(with: [0xff, 0xd8, 0xff]) {
      type = .jpeg
    } else {
      throw UnsupportedType()
    }
  }
}
