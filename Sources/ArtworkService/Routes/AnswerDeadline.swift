import ArtworkModel

/// The time limit of requests that wait for a worker. When it is reached, or the service stops, the request fails
/// with `late`, and its work continues within its own limits: another request joins it, and the event `artwork`
/// reports when it is done.
struct AnswerDeadline: Sendable {
  /// The name of the parameter, in seconds.
  static let parameter = "wait"

  /// Less than the 30 s after which clients give up.
  static let longest = 28

  let time: Duration
  let stop: Deadline.Stop

  /// - Throws: ``Problem`` for a time that is not a number of seconds.
  init(_ query: Query, _ request: Request) throws(Problem) {
    let connection = request.connection
    let seconds = try query.number(Self.parameter, in: 0...Self.longest)
    time = seconds.map { .seconds($0) } ?? connection.limits.answer
    stop = { connection.whenStopping($0) }
  }

  /// A client that disconnects earlier cancels the work, unless other requests wait for it.
  ///
  /// - Throws: `late`, and the errors of `body`.
  func run<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
    try await Deadline.lend(
      time, unless: stop,
      late: StoreError(
        .late, "the artwork is still being prepared: ask again, or after its event"), body)
  }
}
