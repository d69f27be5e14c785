import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import FoundationEssentials
import Glibc
import Logging
import SystemPackage

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the service: store artwork, serve it to players, and show what is playing.",
    discussion: """
      Serves HTTP over a Unix socket, and over loopback TCP with --listen. docs/service.md and \
      /openapi.json describe the API. Over TCP, every request needs the token in the file named \
      token beside the socket. On a terminal, the printed address includes it.

      SIGTERM or Ctrl-C stops the service; leases are kept. Exit codes: 0 stopped, 64 usage error, \
      69 a required part of the sandbox is missing, 70 the service cannot start, 75 another \
      service is running.
      """)

  @Option(
    help: ArgumentHelp(
      "The Unix socket; the default is $ARTWORKD_SOCKET, else artworkd/artworkd.sock in "
        + "$XDG_RUNTIME_DIR, else /tmp/artworkd-<uid>/artworkd.sock.", valueName: "path"))
  var socket: PathArgument?

  @Flag(help: "Listen on TCP only.")
  var noSocket = false

  @Option(
    help: ArgumentHelp(
      "Also listen on a loopback address: 127.0.0.1:PORT. Port 0 lets the system choose.",
      valueName: "addr:port"),
    transform: { try ServeCommand.loopback($0) })
  var listen: LoopbackAddress?

  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      "Size limit of the store, such as 500MiB; the default is 2GiB.", valueName: "bytes"),
    transform: { try StoreAccess.bytes($0) })
  var budget: Int64 = 2 << 30

  @Option(help: "Inspect this many videos in parallel.")
  var jobs = 2

  @Option(help: "Connection limit, for the socket and for TCP each.")
  var connections = 1024

  @Option(
    help: ArgumentHelp(
      "Allow downloads from URLs with this prefix; by default, none are allowed. Repeatable.",
      valueName: "url-prefix"))
  var allowSource: [String] = []

  @Flag(help: "Refuse to start if a part of the workers' sandbox is missing.")
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
      throw ValidationError("--no-socket and --socket cannot be combined.")
    }
  }

  func run() throws {
    // Before the process that starts workers is forked, which needs two descriptors for each.
    DescriptorLimit.raise()
    // Before the first thread.
    let inspector = try IsolatedInspector.prepared(
      jobs: jobs, limits: Limits(), requireSandbox: requireSandbox)
    defer { inspector.stop() }
    // A closed connection and a file beyond the size limit then show as failed writes.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    try Blocking.run { try await serve(inspector) }
  }

  private func serve(_ inspector: IsolatedInspector) async throws {
    let environment = ProcessInfo.processInfo.environment
    var logger = Logger(label: "artworkd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? .debug : .warning
    do {
      var addresses = ServiceSockets.Addresses(
        socket: socket?.path.absolute(in: .currentFolder)
          ?? FilePath(DefaultSocket.path(environment)))
      addresses.usesSocket = !noSocket
      addresses.loopback = listen
      let sockets = try ServiceSockets(addresses, environment: environment)
      // Also when the store cannot be opened: a client takes a socket for a service.
      defer { sockets.removeOwnSocket() }
      var options = AssetStore.Options(folder: store.folder)
      options.byteBudget = budget
      options.jobs = jobs
      let fetcher = allowSource.isEmpty ? nil : WebFetcher(try AllowList(allowSource))
      let store = try AssetStore.open(
        options, inspector: inspector, fetcher: fetcher, clipMaker: inspector, logger: logger)
      let center = try await NowPlayingCenter(store: store)
      var limits = ServiceLimits()
      limits.connections = connections
      let service = HTTPService(
        center: center, sockets: sockets, limits: limits, version: Artworkd.version,
        environment: environment, logger: logger)
      announce(sockets)
      try await service.runUntilSignal()
    } catch {
      throw exitCode(for: error)
    }
  }

  private func announce(_ sockets: ServiceSockets) {
    for socket in sockets.listening {
      switch socket.place {
      case .local(let path):
        Terminal.printError("artworkd: listening at \(path.string.printable)\n")
      case .loopback(let address):
        // Logs and journals have other readers than the token file.
        let token =
          if Terminal.errorIsTerminal, let token = sockets.token {
            "/#token=\(token.text)"
          } else {
            "; the token is in \(sockets.tokenFile.string.printable)"
          }
        Terminal.printError("artworkd: listening at http://\(address)\(token)\n")
      }
    }
  }

  /// Prints the error, and returns its exit code.
  private func exitCode(for error: any Error) -> any Error {
    Terminal.printError("artworkd: \("\(error)".printable)\n")
    switch error {
    case StartError.alreadyRunning: return ExitStatus.alreadyRunning.code
    case let error as StoreError where error.code == .locked:
      return ExitStatus.alreadyRunning.code
    case StartError.notLoopback, StartError.socketPathTooLong, is AllowList.InvalidPrefix:
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
