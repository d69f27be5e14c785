package import ArtworkLottie

/// The output of `artworkd lottie info` for machines; docs/json.md describes it.
package struct AnimationDocument: Encodable {
  private var path: String
  private var summary: AnimationSummary

  package init(path: String, _ summary: AnimationSummary) {
    (self.path, self.summary) = (path, summary)
  }

  private enum CodingKeys: CodingKey { case schemaVersion, path }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(1, forKey: .schemaVersion)
    try container.encode(path, forKey: .path)
    try summary.encode(to: encoder)
  }
}
