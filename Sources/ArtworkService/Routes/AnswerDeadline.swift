import ArtworkModel

/// How long an answer may take that waits for a worker. When the time is up, the caller leaves, and the work ends
/// unless others wait for it.
enum AnswerDeadline {
  /// Less than the 30 s after which clients give up.
  static let longest: Duration = .seconds(28)

  /// - Throws: `late`, and what `body` throws.
  static func run<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
    try await Deadline.run(
      longest, late: StoreError(.late, "it is not ready yet; ask again in a moment"), body)
  }
}
