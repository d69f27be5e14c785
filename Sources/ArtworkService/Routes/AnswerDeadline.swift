import ArtworkModel

/// The time limit of requests that wait for a worker. When it is reached, the request fails, and its work is cancelled
/// unless other requests wait for it.
enum AnswerDeadline {
  /// Less than the 30 s after which clients give up.
  static let longest: Duration = .seconds(28)

  /// - Throws: `late`, and what `body` throws.
  static func run<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
    try await Deadline.run(
      longest, late: StoreError(.late, "the artwork is still being prepared; ask again"), body)
  }
}
