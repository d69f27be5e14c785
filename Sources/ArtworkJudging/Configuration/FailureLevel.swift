/// The severity from which on a finding fails a run.
package enum FailureLevel: String, Sendable, CaseIterable {
  case error, warning, never

  /// The least severity that fails a run; `nil` for ``never``.
  package var severity: Finding.Severity? {
    switch self {
    case .error: .error
    case .warning: .warning
    case .never: nil
    }
  }
}

/// The source of the ID of an artwork that no manifest lists.
package enum ArtworkIDSource: String, Sendable, CaseIterable {
  /// The name of the folder that holds the file.
  case folderName = "folder-name"
  /// The path of that folder relative to the configuration's, for names that repeat.
  case folderPath = "folder-path"
  case none
}
