/// What it takes to mend a finding.
public enum RepairKind: String, Sendable, Codable, CaseIterable {
  /// The packets are copied as they are, into a container that says what the old one did not.
  case lossless
  /// The packets are copied, and state what was left open. Every sample stays as it is.
  case metadata
  /// The video is encoded again, and the picture may change: `artworkd repair --unsafe`.
  case unsafe
}
