import ArtworkLottie

/// A C library that a build may lack, because a trait of the package switches it.
package struct OptionalLibrary: Sendable {
  /// The trait in Package.swift.
  package let trait: String
  package let library: String
  /// Whether this build has it.
  package let isPresent: Bool
  /// Version of the loaded library; `nil` in a build without it, or if the library does not report one.
  package let version: String?
  /// The feature that needs it.
  package let use: String

  package init(
    trait: String, library: String, isPresent: Bool, version: String? = nil, use: String
  ) {
    self.trait = trait
    self.library = library
    self.isPresent = isPresent
    self.version = version
    self.use = use
  }

  package static let webP = OptionalLibrary(
    trait: "WebP", library: "libwebp", isPresent: WebPLibrary.version != nil,
    version: WebPLibrary.version, use: "preview -o NAME.webp, animated WebP")

  package static let lottie = OptionalLibrary(
    trait: "Lottie", library: "librlottie", isPresent: AnimationRenderer.isAvailable,
    use: "every command on a Lottie animation")
}
