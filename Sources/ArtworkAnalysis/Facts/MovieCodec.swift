/// The codecs that videos are made with.
public enum MovieCodec: String, Sendable, Codable, CaseIterable {
  case h264, hevc
}

/// The containers that videos are written in; the raw value is the extension of file names.
public enum MovieContainer: String, Sendable, Codable, CaseIterable {
  case mp4, mov
}
