import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import ArtworkStore
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the service is, for commands that talk to it.
struct ServiceOptions: ParsableArguments {
  @Option(
    help:
      "The service's Unix socket; the default is $ARTWORKD_SOCKET, else artworkd/artworkd.sock in $XDG_RUNTIME_DIR, else in /tmp/artworkd-<uid>."
  )
  var socket: PathArgument?

  @Option(
    help: ArgumentHelp("Connect to a port instead: http://127.0.0.1:8080.", valueName: "url"))
  var connect: String?

  @Option(help: "A file with the token that a port wants; the service says where it is.")
  var tokenFile: PathArgument?

  func validate() throws {
    if socket != nil, connect != nil {
      throw ValidationError("--socket and --connect exclude each other.")
    }
    if tokenFile != nil, connect == nil {
      throw ValidationError("--token-file belongs to --connect: a socket needs no token.")
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
      return ArtworkClient(address)
    }
    return ArtworkClient(
      socket.map { .socket(path: $0.path.absolute(in: .currentFolder).string) } ?? .standard())
  }

  private func token() throws -> String? {
    guard let tokenFile else { return nil }
    let text: String
    do {
      text = try String(contentsOfFile: tokenFile.path.string, encoding: .utf8)
    } catch {
      Terminal.say("artworkd: cannot read \(tokenFile.path.string.printable)\n")
      throw ExitStatus.usage.code
    }
    let token = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard token.count == 1 else {
      Terminal.say("artworkd: \(tokenFile.path.string.printable) holds no token\n")
      throw ExitStatus.usage.code
    }
    return token[0]
  }

  /// Runs `body`; what the service refuses is told, and ends the command.
  static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
    do {
      try Blocking.run(body)
    } catch let error as ClientError {
      Terminal.say("artworkd: \(error.description.printable)\n")
      switch error {
      case .noService: throw ExitStatus.noService.code
      default: throw ExitStatus.unreadableInput.code
      }
    }
  }
}
