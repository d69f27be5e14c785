public import ArtworkModel
public import FoundationEssentials

extension ArtworkClient {
  /// Publishes what players play, for as long as the returned object lives: their item, its duration, state and
  /// position. Only significant changes are sent: another item, a pause, another rate, a seek. The position in
  /// between is extrapolated.
  ///
  /// Several players share a session if they play the same content, for example views of one race. The first one that
  /// plays or buffers represents them all. For players with different content, as in picture in picture, publish a
  /// session for each, and make the one that fills the screen primary
  /// (``HeldSession/requestToBecomeApplicationPrimary()``).
  ///
  /// - Parameters:
  ///   - players: retained by the returned object.
  ///   - application: the application that the session belongs to, for example a bundle identifier.
  public func publish(
    players: any PlaybackSource..., as id: SessionID = .unique(),
    application: String = ProcessInfo.processInfo.processName
  ) async throws(ClientError) -> HeldSession {
    // Before the first reading, so that no change is lost between the two.
    let (changes, change) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let sources = await Self.changes(of: players)
    let listening = Task {
      await withTaskGroup { group in
        for source in sources {
          group.addTask { for await _ in source { change.yield() } }
        }
      }
      change.finish()
    }
    let first = await Self.moment(of: players, id)
    let session: HeldSession
    do {
      session = try await publish(first, application: application)
    } catch {
      listening.cancel()
      throw error
    }
    let following = Task { [weak session] in
      await withTaskCancellationHandler {
        for await _ in changes {
          await session?.follow(await Self.moment(of: players, id))
        }
      } onCancel: {
        listening.cancel()
      }
    }
    session.follow(following)
    return session
  }

  private static func changes(of players: [any PlaybackSource]) async -> [AsyncStream<Void>] {
    var changes: [AsyncStream<Void>] = []
    for player in players { changes.append(await player.changes) }
    return changes
  }

  private static func moment(
    of players: [any PlaybackSource], _ id: SessionID
  ) async -> PlaybackState {
    var readings: [PlaybackReading] = []
    for player in players { readings.append(await player.reading) }
    return PlaybackReading.leading(readings).moment(id)
  }
}
