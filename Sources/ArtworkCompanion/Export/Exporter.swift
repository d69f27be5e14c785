import ArtworkClients
import ArtworkModel

/// Exports the sessions of the service to the desktop, except those that were published for players.
actor Exporter {
  private let address: BusAddress
  private let client: ArtworkClient
  private let imported: ImportedSessions
  private let previews: PreviewFolder
  private let log: @Sendable (String) -> Void
  private var exported: [SessionReference: (session: ExportedSession, instance: Int)] = [:]
  nonisolated let changes: Signals

  /// A desktop displays a few. The service accepts 256 sessions.
  private static let most = 16

  init(
    _ address: BusAddress, _ client: ArtworkClient, _ imported: ImportedSessions,
    _ previews: PreviewFolder, changes: Signals, log: @escaping @Sendable (String) -> Void
  ) {
    self.address = address
    self.client = client
    self.imported = imported
    self.previews = previews
    self.changes = changes
    self.log = log
  }

  /// Exports until the task is cancelled.
  func run() async {
    await changes.whenMarked { await refresh() }
    await keep([])
  }

  private func refresh() async {
    guard let sessions = try? await client.sessions() else { return }
    let shown = sessions.filter { !imported.contains($0.reference) }.prefix(Self.most)
    await keep(Set(shown.map(\.reference)))
    for published in shown {
      do throws(BusError) {
        try await session(for: published.reference).update(
          published.session.received(by: .shared))
      } catch {
        log("\(published.reference) is not shown to the desktop: \(error)")
      }
    }
  }

  private func session(for reference: SessionReference) async throws(BusError) -> ExportedSession {
    if let known = exported[reference] { return known.session }
    let taken = Set(exported.values.map(\.instance))
    var failure = BusError.lost
    // Another program may own a name.
    for instance in 1...2 * Self.most where !taken.contains(instance) {
      do throws(BusError) {
        let session = try await ExportedSession(
          reference, as: "\(MPRIS.own).instance\(instance)", on: address, client, previews)
        exported[reference] = (session, instance)
        return session
      } catch {
        guard case .refused = error else { throw error }
        failure = error
      }
    }
    throw failure
  }

  private func keep(_ references: Set<SessionReference>) async {
    for (reference, entry) in exported where !references.contains(reference) {
      exported[reference] = nil
      await entry.session.end()
    }
  }
}

extension PublishedSession {
  fileprivate var reference: SessionReference { SessionReference(session.application, id) }
}
