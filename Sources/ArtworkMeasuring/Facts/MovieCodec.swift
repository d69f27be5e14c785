/// The codecs that videos are made with.
public enum MovieCodec: String, Sendable, Codable, CaseIterable {
  case h264, hevc, vp9
}

/// The containers that videos are written in; the raw value is the extension of file names.
public enum MovieContainer: String, Sendable, Codable, CaseIterable {
  case mp4, mov, webm

  /// The codecs that Apple systems play.
  package static let played: [MovieContainer] = [.mp4, .mov]
}
