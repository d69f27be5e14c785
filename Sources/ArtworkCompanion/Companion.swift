package import ArtworkClients
import ArtworkModel
package import SystemPackage

/// Turns the players of a desktop session into sessions of the service, exports the service's other sessions to the
/// desktop, and keeps the device's conditions in step with the system.
package struct Companion: Sendable {
  package struct Options: Sendable {
    package var places: ArtworkLookup.Places
    /// How long a new track waits for its artwork: a delay that people do not notice when the picture changes.
    package var lookupTime = Duration.milliseconds(200)
    package var overrides = ConditionOverrides()
    package var session = BusAddress.session
    package var system = BusAddress.system
    /// The folder of the previews for the desktop; created for this user alone.
    package var previews: FilePath

    package init(places: ArtworkLookup.Places, previews: FilePath) {
      self.places = places
      self.previews = previews
    }
  }

  /// Why a companion ended.
  package enum Failure: Error {
    /// The session has one already.
    case alreadyRunning
    case bus(BusError)
  }

  /// That only one companion of a session has.
  static let name = "org.artworkd.Companion"

  private let options: Options
  private let client: ArtworkClient
  private let log: @Sendable (String) -> Void

  /// - Parameter log: receives a line for people whenever something is found or goes wrong.
  package init(
    _ options: Options, _ client: ArtworkClient, log: @escaping @Sendable (String) -> Void
  ) {
    self.options = options
    self.client = client
    self.log = log
  }

  /// Runs until the connection to the session's bus is lost, or until the task is cancelled; then its sessions end.
  ///
  /// - Parameter isReady: called once players are followed.
  package func run(isReady: @Sendable () -> Void = {}) async throws(Failure) {
    let (names, conditionChanges, router) = (Signals(), Signals(), SignalRouter())
    let (losses, loss) = AsyncStream<Void>.makeStream()
    let bus: Bus
    do throws(BusError) {
      bus = try await Bus(options.session) { message in
        switch message.kind {
        case .call: return .unknown(message)
        case .signal where message.member == "NameOwnerChanged":
          if SystemConditions.concerns(message) { conditionChanges.mark() } else { names.mark() }
        case .signal where SystemConditions.concerns(message): conditionChanges.mark()
        case .signal, .reply, .error: router.deliver(message)
        }
        return nil
      } onLoss: {
        loss.finish()
      }
      guard try await bus.request(Self.name) else { throw BusError.refused(name: Self.name) }
      for rule in Self.rules { try await bus.match(rule) }
      try await bus.matchOwners(of: MPRIS.root)
    } catch {
      throw error == .refused(name: Self.name) ? .alreadyRunning : .bus(error)
    }
    let exports = Signals()
    let imported = ImportedSessions(exports: exports)
    let registry = ArtworkRegistry(client, log: log)
    let roster = PlayerRoster(
      FollowedPlayer.Services(
        bus: bus, router: router, client: client, lookup: ArtworkLookup(options.places),
        lookupTime: options.lookupTime, registry: registry, imported: imported, log: log),
      names: names)
    let exporter = Exporter(
      options.session, client, imported, PreviewFolder(options.previews), changes: exports,
      log: log)
    let conditions = await SystemConditions(
      client, options.overrides, session: bus, system: options.system, changes: conditionChanges,
      log: log)
    names.mark()
    isReady()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await roster.run() }
      group.addTask { await exporter.run() }
      group.addTask { await conditions.run() }
      group.addTask { await watch(exporter, conditions, imported, registry) }
      // Ends with the connection, or when the task is cancelled.
      for await _ in losses {}
      group.cancelAll()
    }
    if !Task.isCancelled { throw .bus(.lost) }
  }

  private static let rules = [
    "type='signal',path='\(MPRIS.path)',interface='org.freedesktop.DBus.Properties',"
      + "member='PropertiesChanged',arg0='\(MPRIS.player)'",
    "type='signal',path='\(MPRIS.path)',interface='\(MPRIS.player)',member='Seeked'",
  ]

  /// Follows the events of the service, also when it is started again.
  private func watch(
    _ exporter: Exporter, _ conditions: SystemConditions, _ imported: ImportedSessions,
    _ registry: ArtworkRegistry
  ) async {
    var pause = Duration.milliseconds(100)
    while !Task.isCancelled {
      do {
        for try await event in try await client.events() {
          switch event {
          case .nowPlaying:
            pause = .milliseconds(100)
            // It may have another store.
            registry.forgetAll()
            await conditions.apply()
            exporter.changes.mark()
          case .artwork(let reference, status: nil):
            registry.forget(reference)
            exporter.changes.mark()
          // Most events are about the players' own sessions, which are not exported.
          case .session(let id, application: let application?, _)
          where imported.contains(SessionReference(application, id)):
            break
          case .session, .missed, .artwork: exporter.changes.mark()
          default: break
          }
        }
      } catch {
        // Tried again below, like the end of a service that stops.
      }
      guard (try? await Task.sleep(for: pause)) != nil else { return }
      pause = min(pause * 2, .seconds(5))
    }
  }
}
