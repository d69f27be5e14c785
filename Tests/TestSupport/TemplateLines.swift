import ArtworkPipeline

/// The example lines of the file that `init` writes.
package enum TemplateLines {
  package static let all = ConfigurationTemplate.document.split(
    separator: "\n", omittingEmptySubsequences: false)

  /// `#` and no single space.
  package static func isExample(_ line: Substring) -> Bool {
    line.hasPrefix("#") && line != "#" && !(line.hasPrefix("# ") && !line.hasPrefix("#  "))
  }

  package static let uncommented = all.map { String(isExample($0) ? $0.dropFirst() : $0) }
    .joined(separator: "\n")
}
