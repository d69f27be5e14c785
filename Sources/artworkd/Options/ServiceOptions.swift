import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

/// The address of the service.
struct ServiceOptions: ParsableArguments {
  @Option(
    help:
      "The service's Unix socket; the default is $ARTWORKD_SOCKET, else artworkd/artworkd.sock in $XDG_RUNTIME_DIR, else /tmp/artworkd-<uid>/artworkd.sock."
  )
  var socket: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Connect over TCP instead, for example to http://127.0.0.1:8080.", valueName: "url"))
  var connect: String?

  @Option(help: "The file with the token for TCP; the service keeps it beside its socket.")
  var tokenFile: PathArgument?

  func validate() throws {
    if socket != nil, connect != nil {
      throw ValidationError("--socket and --connect cannot be combined.")
    }
    if tokenFile != nil, connect == nil {
      throw ValidationError("--token-file needs --connect; a socket needs no token.")
    }
    if let connect, ServiceAddress(url: connect) == nil {
      throw ValidationError("--connect takes http://HOST:PORT.")
    }
  }

  func client() throws -> ArtworkClient {
    if let connect {
      guard let address = ServiceAddress(url: connect, token: try token()) else {
        throw ExitStatus.usage.code
      }
      guard let tokenFile else { return ArtworkClient(address) }
      // A command that survives a restart needs the token of the next service.
      return ArtworkClient(
        address, tokenFile: tokenFile.path.absolute(in: .currentFolder).string)
    }
    return ArtworkClient(
      socket.map { .socket(path: $0.path.absolute(in: .currentFolder).string) } ?? .standard())
  }

  private func token() throws -> String? {
    guard let tokenFile else { return nil }
    let token: String?
    do {
      token = try TokenFile.read(tokenFile.path.string)
    } catch {
      Terminal.printError("artworkd: cannot read \(tokenFile.path.string.printable)\n")
      throw ExitStatus.usage.code
    }
    guard let token else {
      Terminal.printError("artworkd: \(tokenFile.path.string.printable) does not contain a token\n")
      throw ExitStatus.usage.code
    }
    return token
  }

  /// Hints by the code of a problem, whose text speaks to all clients.
  private static let hints = [
    "unauthorized": "name the service's token file with --token-file",
    "ambiguous-session": "name it with --application",
  ]

  /// Runs `body`; prints an error of the service and throws its exit code.
  static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
    do {
      try Blocking.run(body)
    } catch let error as ClientError {
      Terminal.printError("artworkd: \(error.description.printable)\n")
      if let hint = hints[error.code ?? ""] { Terminal.printError("  → \(hint)\n") }
      switch error {
      case .noService, .untrusted: throw ExitStatus.noService.code
      default: throw ExitStatus.unreadableInput.code
      }
    }
  }
}
