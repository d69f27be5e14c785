import ArtworkModel
import Synchronization

/// Numbers the service's events, writes each once, passes it on to all listeners, and keeps the last ones for listeners that
/// come back.
final class EventLog: Sendable {
  private struct State {
    /// Number of the last event.
    var number: UInt64 = 0
    /// The last events, in order.
    var storedEvents: [StoredEvent] = []
    var bytes = 0
    var listeners: [ObjectIdentifier: Listener] = [:]
  }

  private struct StoredEvent {
    var number: UInt64
    var text: String
    /// The sessions that it concerns, as of then.
    var sessions: Set<SessionReference>?
  }

  private struct Listener {
    var queue: EventQueue
    /// The only session that it hears of; `nil` for all.
    var session: SessionID?
    var application: String?

    func wants(_ event: StoredEvent) -> Bool {
      guard let session, let about = event.sessions else { return true }
      return about.contains {
        $0.id == session && (application == nil || $0.application == application)
      }
    }
  }

  private let center: NowPlayingCenter
  private let state = Mutex(State())
  /// Distinguishes the event numbers of this run from those of others.
  private let run = (0..<4).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
  /// Events that are kept: some minutes of a busy player.
  private let limit: Int
  /// Bytes that are kept.
  private static let byteLimit = 4 << 20

  init(center: NowPlayingCenter, keeping limit: Int = 1024) {
    self.center = center
    self.limit = limit
    center.whenChanged { [weak self] event in
      self?.add(event)
      return self != nil
    }
  }

  /// Begins to pass events on to `queue`, after the current document. A listener that names the last event that it
  /// received first gets those after it, or `missed` if they are no longer stored.
  ///
  /// - Parameters:
  ///   - session: the only one whose events it gets, besides those that concern all; `nil` for all.
  ///   - application: of that session; `nil` for any.
  ///   - last: `Last-Event-ID`; empty or `nil` for a new listener.
  ///   - languages: of the reader, for the document.
  func listen(
    _ queue: EventQueue, to session: SessionID? = nil, of application: String? = nil,
    after last: String?, for languages: ReaderLanguages = ReaderLanguages()
  ) throws {
    let (missed, number) = state.withLock { state in
      let listener = Listener(queue: queue, session: session, application: application)
      state.listeners[ObjectIdentifier(queue)] = listener
      return (last.map { since($0, state, for: listener) } ?? "", state.number)
    }
    // After the queue takes events, so that none is lost between the document and the first event.
    let document = center.nowPlaying().reading(languages)
    queue.addFirst(missed + (try EventMessage.text(.nowPlaying(document), center, id: id(number))))
  }

  func stop(_ queue: EventQueue) {
    state.withLock { _ = $0.listeners.removeValue(forKey: ObjectIdentifier(queue)) }
  }

  private func since(_ last: String, _ state: State, for listener: Listener) -> String {
    if last.isEmpty { return "" }
    let parts = last.split(separator: "-")
    guard parts.count == 2, parts[0] == run, let number = UInt64(plainDigits: parts[1]),
      number <= state.number, number + 1 >= state.storedEvents.first?.number ?? state.number + 1
    else { return EventMessage.missed }
    return state.storedEvents.filter { $0.number > number && listener.wants($0) }.map(\.text)
      .joined()
  }

  private func id(_ number: UInt64) -> String { "\(run)-\(number)" }

  private func add(_ event: ServiceEvent) {
    // Within the lock, so that numbers and contents are in the same order.
    state.withLock { state in
      // Everything that an event holds can be encoded.
      guard let text = try? EventMessage.text(event, center, id: id(state.number + 1)) else {
        return
      }
      state.number += 1
      let stored = StoredEvent(number: state.number, text: text, sessions: about(event))
      state.storedEvents.append(stored)
      state.bytes += text.utf8.count
      while state.storedEvents.count > limit || state.bytes > Self.byteLimit {
        state.bytes -= state.storedEvents.removeFirst().text.utf8.count
      }
      for listener in state.listeners.values where listener.wants(stored) {
        listener.queue.add(text)
      }
    }
  }

  /// The sessions that an event concerns; `nil` for all.
  private func about(_ event: ServiceEvent) -> Set<SessionReference>? {
    switch event {
    case .session(let session, let application, _), .lease(let session, let application, _, _, _):
      [SessionReference(application ?? "", session)]
    case .artwork(let reference, _): center.publishers(of: reference)
    default: nil
    }
  }
}
