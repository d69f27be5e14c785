/// A C library that a build may lack, because a trait of the package switches it.
package struct OptionalLibrary: Sendable {
  /// The trait in Package.swift.
  package let trait: String
  package let library: String
  /// Of the library that was loaded; `nil` in a build without it.
  package let version: String?
  /// What needs it.
  package let use: String

  package static let all = [
    OptionalLibrary(
      trait: "WebP", library: "libwebp", version: WebPEncoder.libraryVersion,
      use: "preview -o NAME.webp")
  ]
}
