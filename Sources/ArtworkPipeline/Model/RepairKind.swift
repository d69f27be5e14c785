/// What it takes to mend a finding.
public enum RepairKind: String, Sendable, Codable, CaseIterable {
  /// The packets are copied as they are, into a container that says what the old one did not.
  case lossless
  /// The packets are copied, and state what was left open. Every sample stays as it is.
  case metadata
}
