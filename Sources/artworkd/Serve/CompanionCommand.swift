import ArgumentParser
import ArtworkClients
import ArtworkCompanion
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import FoundationEssentials
import SystemPackage

struct CompanionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "companion",
    abstract: "Connect the players of a Linux desktop to the service, over MPRIS.",
    discussion: """
      Publishes each player as a session, with the animated artwork found beside its tracks, and \
      presents other sessions to the desktop as players. Low power, low data and reduced motion \
      follow the system. docs/companion.md explains where it looks for artwork.

      Runs until Ctrl-C, which also ends the players' sessions. \(ExitStatus.words)
      """)

  /// A condition of the device.
  enum Condition: String, ExpressibleByArgument, CaseIterable {
    case auto, on, off

    var stated: Bool? { self == .auto ? nil : self == .on }
  }

  @Option(
    help: ArgumentHelp(
      "A music folder to search for artwork; the default is the desktop's music folder. Repeatable.",
      valueName: "dir"))
  var music: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "A folder of artwork by album: Artist/Album or Artist - Album. Repeatable.",
      valueName: "dir"))
  var library: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "A configuration that lists artwork, or defines where artworkIDs come from.",
      valueName: "file"))
  var config: PathArgument?

  @Option(help: "Low power; auto follows UPower and the power profile.")
  var lowPower = Condition.auto

  @Option(help: "Low data; auto means on while the network is metered.")
  var lowData = Condition.auto

  @Option(help: "Reduced motion; auto follows the desktop's setting.")
  var reduceMotion = Condition.auto

  @OptionGroup(title: "Service")
  var service: ServiceOptions

  func run() throws {
    let interrupt = Interrupt {}
    let options = try options()
    let client = try service.client()
    try withExtendedLifetime(interrupt) {
      try ServiceOptions.run {
        // Fails early if there is no service, and has systemd start one that waits at its socket.
        _ = try await client.conditions()
        try await Self.run(Companion(options, client) { Terminal.printError("\($0.printable)\n") })
      }
    }
  }

  private static func run(_ companion: Companion) async throws {
    do throws(Companion.Failure) {
      try await companion.run {
        Terminal.printError("artworkd: following the players of this desktop\n")
      }
    } catch {
      switch error {
      case .alreadyRunning:
        Terminal.printError("artworkd: another companion follows the players of this desktop\n")
        throw ExitStatus.alreadyRunning.code
      case .bus(let error):
        Terminal.printError("artworkd: \(error)\n")
        if case .lost = error { throw ExitStatus.unreadableInput.code }
        throw ExitStatus.noService.code
      }
    }
  }

  private func options() throws -> Companion.Options {
    let environment = ProcessInfo.processInfo.environment
    func folders(_ arguments: [PathArgument]) throws -> [FilePath] {
      try arguments.map { argument in
        let path = argument.path.absolute(in: .currentFolder)
        guard (try? Folder(opening: path)) != nil else {
          Terminal.printError(
            "artworkd: \(path.string.printable) is not a folder that can be opened\n")
          throw ExitStatus.usage.code
        }
        return path
      }
    }
    var places = ArtworkLookup.Places(
      music: try folders(music), libraries: try folders(library))
    if music.isEmpty { places.music = MusicFolder.standard(environment).map { [$0] } ?? [] }
    places.pictures = Self.pictureFolders(environment)
    if let config {
      places.configuration = try ConfigurationOptions.reportingProblems {
        () throws(ConfigurationError) in
        try Configuration.load(config.path)
      }
    }
    let previews = try previews(environment)
    places.sent = previews
    var options = Companion.Options(places: places, previews: previews)
    options.overrides = ConditionOverrides(
      lowPower: lowPower.stated, lowData: lowData.stated, reduceMotion: reduceMotion.stated)
    return options
  }

  /// The folders where players store downloaded pictures: their caches, and the temporary folder.
  private static func pictureFolders(_ environment: [String: String]) -> [FilePath] {
    let home = environment["HOME"].map { FilePath($0).appending(".cache") }
    let cache = environment["XDG_CACHE_HOME"].map { FilePath($0) } ?? home
    return ([cache] + [FilePath(environment["TMPDIR"] ?? "/tmp")]).compactMap(\.self)
      .filter(\.isAbsolute)
  }

  /// A folder with access for this user only, where no other user can change what is written; not beside a socket
  /// that may be anywhere.
  private func previews(_ environment: [String: String]) throws -> FilePath {
    let standard = environment.filter { $0.key != "ARTWORKD_SOCKET" }
    let run = FilePath(DefaultSocket.path(standard)).removingLastComponent()
    do throws(StartError) {
      return try RuntimeFolder(try RuntimeFolder(run).path.appending("companion")).path
    } catch {
      Terminal.printError("artworkd: \(error)\n")
      throw ExitStatus.internalError.code
    }
  }
}
