import ArtworkModel
import ArtworkPipeline
import Synchronization

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
