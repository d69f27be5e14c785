package import ArtworkModel
internal import Logging
import Synchronization

extension NowPlayingCenter {
  /// The process that owns a session, if it is known.
  package func owner(of id: SessionReference) -> SessionOwner {
    state.withLock { state in
      SessionOwner(process: state.owners[id].process ?? state.owners[id].holders.first)
    }
  }

  /// Counts a connection that holds a session, which need not be published yet. When the last connection is closed, the
  /// session ends after ``Options/grace``, unless a live process owns it as well.
  ///
  /// - Parameters:
  ///   - application: of the session; `nil` for the session of that name that the same process publishes, or else the
  ///     only one.
  ///   - peer: the process at the other end, if known. After a restart of the service its end ends the session.
  package func hold(
    _ name: SessionID, of application: String? = nil, peer: Int32? = nil
  ) {
    let process = peer.flatMap(options.process)
    state.withLock { state in
      if let application {
        state.owners.hold(SessionReference(application, name), by: process)
      } else {
        let known = state.board.sessions.keys.filter { $0.id == name }
        state.owners.holdSome(of: known, named: name, by: process, peer: peer)
      }
    }
    if process != nil { Task { await writeOwners() } }
  }

  /// - Parameters: the same as for ``hold(_:of:peer:)``.
  package func letGo(
    _ name: SessionID, of application: String? = nil, peer: Int32? = nil
  ) {
    let due: (id: SessionReference, generation: UInt64)? = state.withLock { state in
      let id =
        application.map { SessionReference($0, name) }
        ?? state.owners.forgetConnection(named: name, peer: peer)
      guard let id, state.owners[id].connections > 0 else { return nil }
      state.owners.countConnections(-1, of: id)
      guard state.owners[id].connections == 0 else { return nil }
      state.owners[id].wasLetGo = true
      return (id, state.owners[id].generation)
    }
    guard let due else { return }
    Task {
      try? await Task.sleep(for: options.grace)
      await endUnheld(due.id, due.generation)
    }
  }

  private func endUnheld(_ id: SessionReference, _ generation: UInt64) async {
    let isUnheld = state.withLock { state in
      let owner = state.owners[id]
      guard owner.connections == 0, owner.generation == generation else { return false }
      state.owners[id].holders = []
      return true
    }
    guard isUnheld else { return }
    do throws(StoreError) {
      let isAlive = options.isAlive
      _ = try await end(id) { state throws(StoreError) in
        let owner = state.owners[id]
        return owner.connections == 0 && owner.generation == generation
          && !(owner.process.map(isAlive) ?? false)
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
    for lease in store.leases()
    where sessions[lease.session] == nil && owners[lease.session].connections == 0 {
      if let process = lease.owner.process, !isAlive(process) { orphans.insert(lease.session) }
    }
    var failure: StoreError?
    for id in orphans {
      do throws(StoreError) {
        _ = try await end(id) { state throws(StoreError) in
          let owner = state.owners[id]
          return state.board.sessions[id] == nil
            ? owner.connections == 0 : owner.hasEnded(isAlive)
        }
      } catch {
        // The other sessions end all the same.
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
