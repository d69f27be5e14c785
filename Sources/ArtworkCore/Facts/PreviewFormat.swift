/// The file format of a preview. The raw value is the extension of file names, in lower case.
public enum PreviewFormat: String, Sendable, Codable, CaseIterable {
  case png
  /// WebP, only in a build with the package trait `WebP`; see ``isAvailable``.
  case webp

  package var title: String {
    switch self {
    case .png: "PNG"
    case .webp: "WebP"
    }
  }
}
