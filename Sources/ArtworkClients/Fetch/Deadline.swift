/// A time by which something has to end.
enum Deadline {
  struct Passed: Error {}

  /// Runs `body`, and cancels it when the time has passed. Comes back when it has ended, so that nothing of it goes on.
  static func run(
    _ time: Duration, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: time)
        throw Passed()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
