package import ArtworkModel
internal import Logging
import Synchronization

extension NowPlayingCenter {
  /// The process that owns a session, if it is known.
  package func owner(of id: SessionReference) -> SessionOwner {
    SessionOwner(process: state.withLock { $0.owners.process(of: id) })
  }

  /// The session of a name that this process owns, or else the only one of that name.
  package func session(named name: SessionID, heldBy peer: Int32?) -> SessionReference? {
    let (board, owners) = state.withLock { ($0.board, $0.owners) }
    let known = board.sessions.keys.filter { $0.id == name }
    let own = known.filter { peer != nil && owners.process(of: $0)?.identifier == peer }
    return own.count == 1 ? own[0] : known.count == 1 ? known[0] : nil
  }

  /// Counts a connection that holds a session, which need not be published yet, and receives its commands. When the last
  /// connection is closed, the session ends after ``Options/grace``, unless a live process owns it as well.
  ///
  /// - Parameter peer: the process at the other end, if known. After a restart of the service its end ends the session.
  /// - Returns: what ``letGo(_:_:)`` takes.
  /// - Throws: `owned` while connections of another client hold it.
  package func hold(
    _ receiver: CommandRouter.Receiver, peer: Int32? = nil
  ) throws(StoreError) -> UInt64 {
    let (id, process) = (receiver.session, peer.flatMap(options.process))
    let number = try state.withLock { state throws(StoreError) in
      // To a process that was named, anybody may connect, such as the curl of a shell.
      let (owners, named) = (state.owners, state.owners.processes[id])
      guard !owners.isOwned(id, byOtherThan: process, naming: named, options.isAlive) else {
        throw StoreError.owned(id)
      }
      let number = desk.withLock { $0.open(receiver) }
      _ = state.owners.on(.opened(id, by: .init(number: number, process: process)), options.isAlive)
      return number
    }
    if process != nil { Task { await writeOwners() } }
    return number
  }

  /// Passes no more commands on to a connection that holds a session.
  ///
  /// - Parameter isReplaced: whether another client has taken the session over, of which it is notified.
  package func stopReceiving(_ holder: UInt64, isReplaced: Bool = false) {
    let (receiver, pending) = desk.withLock { ($0.receiver(holder), $0.close(holder)) }
    for command in pending {
      command.end(.ownerGone, "the owner closed its connection before it answered")
    }
    if isReplaced { receiver?.replaced() }
  }

  /// Counts a closed connection that was counted by ``hold(_:peer:)``.
  package func letGo(_ id: SessionReference, _ holder: UInt64) {
    guard
      case .expireLater(let turn) = state.withLock({
        $0.owners.on(.closed(id, number: holder), options.isAlive)
      })
    else { return }
    sessionsDidChange.yield()
    Task {
      try? await Task.sleep(for: options.grace)
      await endUnheld(id, turn)
    }
  }

  private func endUnheld(_ id: SessionReference, _ turn: UInt64) async {
    let effect = state.withLock { $0.owners.on(.expired(id, turn: turn), options.isAlive) }
    guard case .end = effect else { return }
    do throws(StoreError) {
      let isAlive = options.isAlive
      _ = try await end(id) { state throws(StoreError) in
        state.owners.isDue(id, turn: turn) && !(state.owners.processes[id].map(isAlive) ?? false)
      }
    } catch {
      store.logger.error(
        "cannot end a session whose connection has closed",
        metadata: ["session": "\(id)", "error": "\(error)"])
    }
  }

  private func writeOwners() async {
    do throws(StoreError) {
      _ = try await change { _ throws(StoreError) in }
    } catch {
      store.logger.warning("cannot record the owner of a session", metadata: ["error": "\(error)"])
    }
  }

  /// Ends the sessions whose owners have all ended, and releases the leases of lost sessions whose owners have.
  ///
  /// - Throws: `failed`, `no-space`.
  package func endOrphans() async throws(StoreError) {
    let isAlive = options.isAlive
    let (owners, sessions) = state.withLock { ($0.owners, $0.board.sessions) }
    var orphans = Set(owners.orphans(isAlive)).intersection(sessions.keys)
    for (session, owner) in store.leaseOwners
    where sessions[session] == nil && !owners.isHeld(session) {
      if let process = owner.process, !isAlive(process) { orphans.insert(session) }
    }
    var failure: StoreError?
    for id in orphans {
      do throws(StoreError) {
        _ = try await end(id) { state throws(StoreError) in
          state.board.sessions[id] == nil
            ? !state.owners.isHeld(id) : state.owners.haveEnded(id, isAlive)
        }
      } catch {
        // The other sessions end all the same.
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
