package import ArtworkLottie
import FoundationEssentials

/// The output of `artworkd lottie info` for machines; docs/json.md describes it.
package enum AnimationDocument {
  /// One indented document with a final newline.
  package static func render(_ summary: AnimationSummary, of file: FilePath) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    let document = Document(path: file.string, summary: summary)
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    var path: String
    var summary: AnimationSummary

    private enum CodingKeys: CodingKey { case schemaVersion, path }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(1, forKey: .schemaVersion)
      try container.encode(path, forKey: .path)
      try summary.encode(to: encoder)
    }
  }
}
