import ArtworkModel
import ArtworkStore
import Synchronization

/// Numbers the service's events, writes each once, passes it on to all listeners, and keeps the last ones for listeners that
/// come back.
final class EventLog: Sendable {
  private struct State {
    /// Of the last event.
    var number: UInt64 = 0
    /// The last events, in order.
    var kept: [(number: UInt64, text: String)] = []
    var bytes = 0
    var listeners: [ObjectIdentifier: EventQueue] = [:]
  }

  private let center: NowPlayingCenter
  private let state = Mutex(State())
  /// Tells the numbers of this run from those of others.
  private let run = (0..<4).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
  /// Events that are kept: some minutes of a busy player.
  private let limit: Int
  /// Bytes that are kept.
  private static let byteLimit = 4 << 20

  init(center: NowPlayingCenter, keeping limit: Int = 1024) {
    self.center = center
    self.limit = limit
    center.whenChanged { [weak self] event in self?.add(event) }
  }

  /// Begins to pass events on to `queue`, behind the document that is shown now. A listener that names the last event that
  /// it knows is first sent those that came after it, or `missed` if they are no longer kept.
  ///
  /// - Parameters:
  ///   - last: `Last-Event-ID`; empty or `nil` for a new listener.
  ///   - languages: of the reader, for the document.
  func listen(
    _ queue: EventQueue, after last: String?, for languages: ReaderLanguages = ReaderLanguages()
  ) throws {
    let (missed, number) = state.withLock { state in
      state.listeners[ObjectIdentifier(queue)] = queue
      return (last.map { since($0, state) } ?? "", state.number)
    }
    // After the queue takes events, so that none is lost between the document and the first event.
    let document = center.nowPlaying().reading(languages)
    queue.addFirst(missed + (try EventMessage.nowPlaying(document, id: id(number))))
  }

  func stop(_ queue: EventQueue) {
    state.withLock { _ = $0.listeners.removeValue(forKey: ObjectIdentifier(queue)) }
  }

  private func since(_ last: String, _ state: State) -> String {
    if last.isEmpty { return "" }
    let parts = last.split(separator: "-")
    guard parts.count == 2, parts[0] == run, let number = UInt64(plainDigits: parts[1]),
      number <= state.number, number + 1 >= state.kept.first?.number ?? state.number + 1
    else { return EventMessage.missed }
    return state.kept.filter { $0.number > number }.map(\.text).joined()
  }

  private func id(_ number: UInt64) -> String { "\(run)-\(number)" }

  private func add(_ event: NowPlayingCenter.Event) {
    // Within the lock, so that numbers and contents are in the same order.
    state.withLock { state in
      // Everything that an event holds can be encoded.
      guard let text = try? EventMessage.text(event, center, id: id(state.number + 1)) else {
        return
      }
      state.number += 1
      state.kept.append((state.number, text))
      state.bytes += text.utf8.count
      while state.kept.count > limit || state.bytes > Self.byteLimit {
        state.bytes -= state.kept.removeFirst().text.utf8.count
      }
      for queue in state.listeners.values { queue.add(text) }
    }
  }
}
