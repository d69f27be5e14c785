import ArtworkModel
import ArtworkStore

extension PreparedVideo {
  /// The request that it will serve.
  struct Request: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case width, height, videoCodecs }

    var renditionRequest: RenditionRequest

    init(from decoder: any Decoder) throws {
      try decoder.refuseFields(otherThan: CodingKeys.allCases)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let codecs = try MediaSession.videoCodecs(in: container, forKey: .videoCodecs)
      guard container.contains(.width) || container.contains(.height) else {
        renditionRequest = RenditionRequest(codecs: codecs)
        return
      }
      let size = PixelSize(
        width: try container.side(forKey: .width), height: try container.side(forKey: .height))
      renditionRequest = RenditionRequest(size: size, codecs: codecs)
    }
  }
}

extension KeyedDecodingContainer {
  /// Pixels of a side.
  fileprivate func side(forKey key: Key) throws -> Int {
    let side: Int = try wholeNumber(forKey: key)
    guard PreviewRoute.sides.contains(side) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "it must be from \(PreviewRoute.sides.lowerBound) to "
          + "\(PreviewRoute.sides.upperBound)")
    }
    return side
  }
}
