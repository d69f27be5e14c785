package import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization

extension NowPlayingCenter {
  /// The file that a session gets of a video, or why there is none.
  package enum LeasedVideo: Sendable, Equatable {
    case video(Lease)
    /// Why there is no video, with the code of a ``StoreError`` or of a presentation.
    case none(code: String, message: String)
  }

  /// What is shown of an artwork that a session publishes, and why, as if the session were shown.
  ///
  /// - Throws: `unknown-session`, `ambiguous-session`.
  package func presentation(
    of key: ArtworkKey, in id: SessionID, of application: String? = nil
  ) throws(StoreError) -> Presentation {
    let board = board
    guard let session = board.sessions[try board.reference(id, of: application)] else {
      throw StoreError.unknownSession(id)
    }
    return presentation(of: key, in: session)
  }

  private func presentation(of key: ArtworkKey, in session: MediaSession) -> Presentation {
    Presentation(of: key, in: session, conditions: conditions) { store.availability($0) }
  }

  /// Reasons that the presentation has for a video that the store has and does not hand out.
  private static let ownReasons = [
    Presentation.Code.ignored, .doesNotPlay, .codecNotSupported,
  ].map(\.rawValue)

  /// Why there is no video: the reason that the presentation gives for a stored one, else the error.
  private func refusal(
    _ error: StoreError, of key: ArtworkKey, in id: SessionReference
  ) -> LeasedVideo {
    let shown = board.sessions[id].map { presentation(of: key, in: $0).reason }
    if error.code == .refused, let shown, Self.ownReasons.contains(shown.code) {
      return .none(code: shown.code, message: shown.message)
    }
    return .none(code: error.code.rawValue, message: error.message)
  }

  /// The video of an artwork that a session publishes, as a file for this session alone, which stays until the session
  /// stops publishing it. A second request returns the same file, or a smaller one that was made meanwhile and fills
  /// `size`; then both files stay. Returns within `deadline`; work that takes longer continues. While the device shows no
  /// videos, none is prepared and none is returned; a file that was handed out stays.
  ///
  /// - Parameter size: the box that the video fills, in pixels; `nil` for the video as it is.
  /// - Throws: `unknown-session`, `ambiguous-session`, `not-published`.
  package func video(
    for name: SessionID, of application: String? = nil, _ key: ArtworkKey, size: PixelSize? = nil,
    within deadline: Duration, unless stop: Deadline.Stop? = nil
  ) async throws(StoreError) -> LeasedVideo {
    let id = try board.reference(name, of: application)
    let reference = try published(id, key)
    if let still = Presentation.withoutVideo(key, conditions) {
      return .none(code: still.reason.code, message: still.reason.message)
    }
    let answer = await Deadline.first(of: deadline, unless: stop) {
      do throws(StoreError) {
        return LeasedVideo.video(try await self.lease(id, key, reference.artworkID, size))
      } catch {
        return self.refusal(error, of: key, in: id)
      }
    }
    return answer
      ?? .none(
        code: StoreError.Code.late.rawValue,
        message: "\(reference) is still being prepared: ask again, or after its event")
  }

  /// Chooses the version that suits the session, prepares a file with it, and grants that to the session.
  private func lease(
    _ id: SessionReference, _ key: ArtworkKey, _ artworkID: ArtworkID, _ size: PixelSize?
  ) async throws(StoreError) -> Lease {
    let reference = ArtworkReference(artworkID, key)
    let request = RenditionRequest(size: size, codecs: board.sessions[id]?.videoCodecs)
    let held = store.leaseKeys(of: id, reference).filter { store.plays($0, request) }
    do throws(StoreError) {
      // A video that is evicted before it is leased is brought again, but not for ever.
      for _ in 0..<3 {
        // While the video is not stored, a session that has it needs nothing else.
        let best = try store.bestVersion(of: reference, for: request)
        if let lease = try await store.soundLease(.init(id, reference, best?.rendition)) {
          return lease
        }
        await remember(
          AskedVideo(session: id, artworkID: reference.artworkID, key: key, size: size))
        let version = try await store.chooseVersion(
          of: reference, for: request, waitingFor: held.isEmpty ? .needed : .nothing)
        guard let version else { continue }
        let prepared = try await store.disk.run { [self] _ throws(StoreError) in
          try store.core.prepareLease(
            .init(id, reference, version.rendition), owner: owner(of: id))
        }
        if let lease = try await grant(prepared) { return lease }
      }
      throw StoreError.evictedAtOnce(reference)
    } catch {
      // What a session has stays good, whatever happened to the store's copy and to the source.
      for key in held {
        if let lease = try await store.soundLease(key) { return lease }
      }
      throw error
    }
  }

  /// Has the disk keep what takes longer than the service may live, so that the next one goes on with it.
  private func remember(_ asked: AskedVideo) async {
    let request = RenditionRequest(
      size: asked.size, codecs: board.sessions[asked.session]?.videoCodecs)
    guard !store.isAtHand(asked.reference, request), !state.withLock({ $0.asked.contains(asked) })
    else { return }
    do throws(StoreError) {
      _ = try await change { state throws(StoreError) in
        state.asked.removeAll { $0.session == asked.session && $0.key == asked.key }
        state.asked.append(asked)
      }
    } catch {
      store.logger.warning(
        "a restart forgets what a session asks for now", metadata: ["error": "\(error)"])
    }
  }

  /// Makes what a session asked for before a restart. Its event announces it.
  func goOn(with asked: AskedVideo) {
    let (reference, session) = (asked.reference, asked.session)
    let request = RenditionRequest(size: asked.size, codecs: board.sessions[session]?.videoCodecs)
    let isHeld = !store.leaseKeys(of: session, reference).isEmpty
    guard Presentation.withoutVideo(asked.key, conditions) == nil,
      // What was evicted since was at hand.
      store.status(reference) == .ready || !isHeld, !store.isAtHand(reference, request)
    else { return }
    Task.detached { [store] in
      do throws(StoreError) {
        _ = try await store.chooseVersion(of: reference, for: request, waitingFor: .best)
      } catch {
        store.logger.info(
          "what a session asked for before the restart cannot be made",
          metadata: ["session": "\(session)", "error": "\(error)"])
      }
    }
  }

  /// Commits a lease in the order of the changes of sessions, so that the session cannot be replaced in between.
  ///
  /// - Returns: `nil` when the video was evicted meanwhile.
  private func grant(_ prepared: PreparedLease) async throws(StoreError) -> Lease? {
    let (id, reference, size) = (
      prepared.key.session, prepared.key.reference, prepared.key.rendition
    )
    return try await store.onDisk { [self] core throws(StoreError) -> Lease? in
      if prepared.hasRemoved {
        listeners.send(.lease(id, reference, rendition: size, released: true))
      }
      guard board.sessions[id]?.publishes(reference) == true else {
        core.discard(prepared)
        throw StoreError(.notPublished, "the session no longer publishes \(reference)")
      }
      let (lease, isNew) = try core.commit(prepared)
      if isNew, lease != nil {
        listeners.send(.lease(id, reference, rendition: size, released: false))
      }
      return lease
    }
  }

  private func published(
    _ id: SessionReference, _ key: ArtworkKey
  ) throws(StoreError) -> ArtworkReference {
    guard let session = board.sessions[id] else {
      throw StoreError.unknownSession(id.id, of: id.application)
    }
    guard let artworkID = session.artwork[key] else {
      throw StoreError(.notPublished, "the session publishes no \(key.rawValue) artwork")
    }
    return ArtworkReference(artworkID, key)
  }
}

extension NowPlayingCenter {
  /// Changes sessions and owners: first on disk, then in memory.
  ///
  /// - Parameters:
  ///   - id: a session whose leases on artwork that it does not name are released.
  ///   - news: sent when the change is done, beside the events for leases, ended sessions and primaries.
  ///   - owning: what the owners are told of the change.
  /// - Returns: what `body` returns, and whether a lease was released.
  func change<R: Sendable>(
    releasing id: SessionReference? = nil, sending news: ServiceEvent? = nil,
    owning: @escaping @Sendable (R) -> SessionOwners.Event? = { _ in nil },
    _ body: @escaping @Sendable (inout State) throws(StoreError) -> R
  ) async throws(StoreError) -> (R, released: Bool) {
    try await store.onDisk { [self] core throws(StoreError) -> (R, released: Bool) in
      // Sessions and their processes change only here, one change at a time; connections open and close meanwhile.
      let before = state.withLock { $0 }
      var changed = before
      let result = try body(&changed)
      changed.asked.removeAll {
        changed.board.sessions[$0.session]?.publishes($0.reference) != true
      }
      let event = owning(result)
      if let event { _ = changed.owners.on(event, options.isAlive) }
      try core.write(
        SessionRecord(
          board: changed.board, owners: changed.owners.records, lost: changed.lost,
          asked: changed.asked,
          clock: options.systemStart.map { .init(system: $0, start: time.start) }))
      let effect = state.withLock { state in
        state.board = changed.board
        state.lost = changed.lost
        state.asked = changed.asked
        state.owners.processes = changed.owners.processes
        return event.flatMap { state.owners.on($0, options.isAlive) }
      }
      if case .replaced(let holders) = effect {
        for holder in holders { stopReceiving(holder, isReplaced: true) }
      }
      sessionsDidChange.yield()
      if let session = id.flatMap({ changed.board.sessions[$0] }) {
        core.judge(session.artwork)
      }
      // The change is made: whatever becomes of its leases, the events of it are sent first.
      var failure: StoreError?
      // Sent from this thread, so that events arrive in the order of the changes.
      var hasReleased = false
      if let id {
        do throws(StoreError) {
          try releaseStaleLeases(of: id, core) { lease in
            hasReleased = true
            listeners.send(
              .lease(lease.session, lease.reference, rendition: lease.rendition, released: true))
          }
        } catch {
          failure = error
        }
      }
      if let news { listeners.send(news) }
      for id in before.board.sessions.keys where changed.board.sessions[id] == nil {
        endCommands(of: id)
        listeners.send(.session(id, ended: true))
      }
      for (id, scope) in changed.board.primaries(since: before.board)
      where news != .primary(id, scope) { listeners.send(.primary(id, scope)) }
      for application in changed.board.applicationsWithoutPrimary(since: before.board) {
        listeners.send(.primary(session: nil, application: application, .application))
      }
      if let failure { throw failure }
      return (result, hasReleased)
    }
  }

  /// Releases leases on artwork that their sessions do not publish.
  ///
  /// - Parameters:
  ///   - id: the session; `nil` for all.
  ///   - released: called for each, once it is released.
  func releaseStaleLeases(
    of id: SessionReference?, _ core: StoreCore,
    _ released: (StoreState.LeaseKey) -> Void = { _ in }
  ) throws(StoreError) {
    let (sessions, lost) = state.withLock { ($0.board.sessions, $0.lost) }
    let stale = core.state.withLock({ Array($0.leases.keys) }).filter { lease in
      (id == nil || lease.session == id) && !lost.contains(lease.session)
        && sessions[lease.session]?.publishes(lease.reference) != true
    }
    for lease in stale {
      try core.release(lease)
      released(lease)
    }
  }
}
