package import ArtworkModel
internal import Logging
import Synchronization

extension NowPlayingCenter {
  /// The process that owns a session, if it is known.
  package func owner(of id: SessionID) -> SessionOwner {
    state.withLock { state in
      SessionOwner(process: state.owners[id].process ?? state.owners[id].holders.first)
    }
  }

  /// Counts a connection that holds a session, which need not be published yet. When the last connection is closed, the
  /// session ends after ``Options/grace``, unless a live process owns it as well.
  ///
  /// - Parameter peer: the process at the other end, if known. After a restart of the service its end ends the session.
  package func hold(_ id: SessionID, peer: Int32? = nil) {
    let process = peer.flatMap(options.process)
    state.withLock { state in
      state.owners.countConnections(1, of: id)
      state.owners[id].wasHeld = true
      if let process, !state.owners[id].holders.contains(process) {
        state.owners[id].holders.append(process)
      }
    }
    if process != nil { Task { await writeOwners() } }
  }

  /// - Parameter peer: the same as for ``hold(_:peer:)``.
  package func letGo(_ id: SessionID, peer: Int32? = nil) {
    let generation: UInt64? = state.withLock { state in
      guard state.owners[id].connections > 0 else { return nil }
      state.owners.countConnections(-1, of: id)
      return state.owners[id].connections == 0 ? state.owners[id].generation : nil
    }
    guard let generation else { return }
    Task {
      try? await Task.sleep(for: options.grace)
      await endUnheld(id, generation)
    }
  }

  private func endUnheld(_ id: SessionID, _ generation: UInt64) async {
    let isUnheld = state.withLock { state in
      let owner = state.owners[id]
      guard owner.connections == 0, owner.generation == generation else { return false }
      state.owners[id].holders = []
      return true
    }
    guard isUnheld else { return }
    do throws(StoreError) {
      let isAlive = options.isAlive
      _ = try await end(id) { owner, _ in
        owner.connections == 0 && owner.generation == generation
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
        _ = try await end(id) { owner, isPublished in
          isPublished ? owner.hasEnded(isAlive) : owner.connections == 0
        }
      } catch {
        // The other sessions end all the same.
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
