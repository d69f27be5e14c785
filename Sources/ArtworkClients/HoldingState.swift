/// The state machine of holding a session: events go in, and the next step comes out.
struct HoldingState: Hashable {
  enum Step: Hashable {
    /// Wait for the next event of the open stream.
    case listen
    /// Open a stream that holds the session.
    case open
    /// Ask the service whether it has the session.
    case check
    /// Publish the latest session.
    case publish
    case wait(Duration)
  }

  enum Event: Hashable {
    /// The step is done.
    case done
    /// Events were missed, among them perhaps the end of the session.
    case missed
    case failed
    /// Another client has ended the session.
    case ended
  }

  /// `nil` if the session has ended, which is final.
  private(set) var next: Step? = .listen
  /// Whether the session's end may be among missed events.
  private var mayHaveEnded = false
  /// Whether the session was published since the stream was opened: a service that was started again may have another.
  private var isPublished = true
  private var pause = Self.shortest

  private static let shortest = Duration.milliseconds(100)
  private static let longest = Duration.seconds(5)

  mutating func on(_ event: Event) {
    switch (event, next) {
    case (_, nil): break
    case (.ended, _): next = nil
    case (.missed, _): (mayHaveEnded, next) = (true, .check)
    case (.failed, _): (next, pause) = (.wait(pause), min(pause * 2, Self.longest))
    case (.done, .wait): next = .open
    case (.done, .open): (isPublished, next) = (false, mayHaveEnded ? .check : .publish)
    case (.done, .check): (mayHaveEnded, next) = (false, isPublished ? .listen : .publish)
    case (.done, .publish): (isPublished, pause, next) = (true, Self.shortest, .listen)
    case (.done, .listen): break
    }
  }
}
