import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import ArtworkStore
import Logging
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run beside a player: keep artwork, hand it out, show what is playing.",
    discussion: """
      Answers HTTP over a Unix socket, and over loopback TCP with --listen. docs/service.md \
      describes it, and so does /openapi.json.

      Ends with SIGTERM or Ctrl-C; leases stay. Exit codes: 0 stopped, 64 usage error, 69 no sandbox \
      though required, 70 it cannot start, 75 another one is running.
      """)

  @Option(
    help: ArgumentHelp(
      "The Unix socket; the default is $ARTWORKD_SOCKET, else artworkd/artworkd.sock below "
        + "$XDG_RUNTIME_DIR, else /tmp/artworkd-<uid>/artworkd.sock.", valueName: "path"))
  var socket: PathArgument?

  @Flag(help: "Listen on TCP only.")
  var noSocket = false

  @Option(
    help: ArgumentHelp(
      "Listen on a loopback address as well: 127.0.0.1:PORT; port 0 is chosen by the system.",
      valueName: "addr:port"),
    transform: { try ServeCommand.loopback($0) })
  var listen: LoopbackAddress?

  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      "Bytes of the store: 500MiB, 2GiB; the default is 2GiB.", valueName: "bytes"),
    transform: { try StoreAccess.bytes($0) })
  var budget: Int64 = 2 << 30

  @Option(help: "Videos looked at at once; the default is 2.")
  var jobs = 2

  @Option(help: "Clients at once; the default is 1024.")
  var connections = 1024

  @Option(
    help: ArgumentHelp(
      "Fetch videos whose URL starts so. Repeatable; without it nothing is fetched.",
      valueName: "url-prefix"))
  var allowSource: [String] = []

  @Flag(help: "Refuse to start where a part of the workers' sandbox is missing.")
  var requireSandbox = false

  @Flag(name: .shortAndLong, help: "Log each request to standard error.")
  var verbose = false

  func validate() throws {
    if !(1...256).contains(jobs) {
      throw ValidationError("--jobs takes a number from 1 to 256, not \(jobs).")
    }
    if !(16...1_000_000).contains(connections) {
      throw ValidationError("--connections takes a number from 16 to 1000000, not \(connections).")
    }
    if noSocket, listen == nil { throw ValidationError("--no-socket needs --listen.") }
    if noSocket, socket != nil {
      throw ValidationError("--no-socket and --socket exclude each other.")
    }
  }

  func run() throws {
    // Before the first thread.
    let inspector = try IsolatedInspector.prepared(
      jobs: jobs, limits: Limits(), requireSandbox: requireSandbox)
    defer { inspector.stop() }
    // A client that goes away shows as a failed write, and so does a file that becomes too large.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    try Blocking.run { try await serve(inspector) }
  }

  private func serve(_ inspector: IsolatedInspector) async throws {
    let environment = ProcessInfo.processInfo.environment
    var logger = Logger(label: "artworkd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? .debug : .warning
    do {
      var wishes = ServiceSockets.Wishes(
        socket: socket?.path.absolute(in: .currentFolder)
          ?? FilePath(DefaultSocket.path(environment)))
      wishes.usesSocket = !noSocket
      wishes.loopback = listen
      let sockets = try ServiceSockets(wishes, environment: environment)
      var options = AssetStore.Options(folder: store.folder)
      options.byteBudget = budget
      options.jobs = jobs
      let fetcher = allowSource.isEmpty ? nil : WebFetcher(try AllowList(allowSource))
      let store = try AssetStore.open(
        options, inspector: inspector, fetcher: fetcher, logger: logger)
      let center = try await NowPlayingCenter(store: store)
      var limits = ServiceLimits()
      limits.connections = connections
      let service = HTTPService(
        center: center, sockets: sockets, limits: limits, version: Artworkd.version,
        environment: environment, logger: logger)
      announce(sockets)
      try await service.runUntilSignal()
    } catch {
      throw told(error)
    }
  }

  private func announce(_ sockets: ServiceSockets) {
    for socket in sockets.listening {
      switch socket.place {
      case .local(let path):
        Terminal.say("artworkd: listening at \(path.string.printable)\n")
      case .loopback(let address):
        let token = sockets.token.map { "/#token=\($0.text)" } ?? "/"
        Terminal.say("artworkd: listening at http://\(address)\(token)\n")
      }
    }
  }

  private func told(_ error: any Error) -> any Error {
    Terminal.say("artworkd: \("\(error)".printable)\n")
    switch error {
    case StartError.alreadyRunning: return ExitStatus.alreadyRunning.code
    case let error as StoreError where error.code == .locked:
      return ExitStatus.alreadyRunning.code
    case StartError.notLoopback, StartError.socketPathTooLong, is AllowList.Mistake:
      return ExitStatus.usage.code
    default: return ExitStatus.internalError.code
    }
  }

  private static func loopback(_ text: String) throws -> LoopbackAddress {
    do {
      return try LoopbackAddress(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
