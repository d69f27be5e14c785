public import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import FoundationEssentials
import Glibc
import SystemPackage

struct PublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish videos through the service, as a player does.",
    discussion: """
      Registers the videos, publishes a session with them, and holds it until Ctrl-C. Prints \
      "<key> <file URL>" for each video; the files stay until the session ends. The key of a \
      video, 1x1 or 3x4, comes from its name, as in check, or from --key.

      Exit codes: 0 published, or another client ended the session, 2 the service refused the \
      request or a video cannot be used, 64 usage error, 69 no service is running, 130 interrupted.
      """)

  @Argument(help: "The videos: at most one for each key.")
  var files: [PathArgument]

  @Option(help: "The key of the video, if there is only one.")
  var key: ArtworkKey?

  @Option(
    help:
      "The static cover, a PNG, JPEG, WebP or AVIF file; the default is the one beside the first video."
  )
  var cover: PathArgument?

  @Option(help: "The session's name; the default is publish-<PID>.")
  var session: String?

  @Option(help: "The application that the session belongs to.")
  var application = "artworkd publish"

  @Option(help: "The title; the default is the name of the first video's folder.")
  var title: String?

  @Option(help: "Artist, show or author.")
  var artist: String?

  @Option(help: "Album, season or series.")
  var album: String?

  @Option(help: "The kind of content.")
  var kind: MediaContent.Kind = .music

  @Option(
    help: ArgumentHelp(
      "The artworkID of the videos; the default changes whenever the file changes.",
      valueName: "id"))
  var artworkID: String?

  @Option(
    help: ArgumentHelp("Duration of the item; the default is live.", valueName: "seconds"))
  var duration: Double?

  @Flag(help: "Exit, but leave the session published. DELETE /v1/sessions/<name> ends it.")
  var detach = false

  @Option(
    help: ArgumentHelp(
      "Return at once, and end the session when the process with this ID exits.",
      valueName: "number"))
  var pid: Int32?

  @OptionGroup(title: "Service")
  var service: ServiceOptions

  func validate() throws {
    if files.isEmpty { throw ValidationError("Name a video.") }
    if files.contains(where: \.isStandardStream) {
      throw ValidationError("The service reads files, not standard input.")
    }
    if detach, pid != nil { throw ValidationError("--detach and --pid cannot be combined.") }
    if let pid, pid <= 0 { throw ValidationError("--pid takes a process ID above 0.") }
    if key != nil, files.count > 1 { throw ValidationError("--key needs a single video.") }
    if let duration, !(duration.isFinite && (0...1e9).contains(duration)) {
      throw ValidationError("--duration takes seconds.")
    }
    for name in [session, artworkID] {
      if let name, SessionID(name) == nil {
        throw ValidationError("A name has 1 to \(SessionID.longest) bytes.")
      }
    }
    _ = try videos()
  }

  func run() throws {
    let interrupt = Interrupt {}
    let client = try service.client()
    let videos = try videos()
    guard let id = SessionID(session ?? "publish-\(getpid())") else { throw ExitStatus.usage.code }
    try withExtendedLifetime(interrupt) {
      try ServiceOptions.run {
        try await publish(videos, as: id, through: client)
      }
    }
  }

  // MARK: The videos

  private struct Video {
    var path: FilePath
    var artworkID: ArtworkID
    var key: ArtworkKey

    var reference: ArtworkReference { ArtworkReference(artworkID, key) }
  }

  private func videos() throws -> [Video] {
    var videos: [Video] = []
    for file in files {
      let path = file.path.absolute(in: .currentFolder)
      let name = path.lastComponent?.string ?? ""
      guard let key = key ?? ArtworkKey(fileName: name) else {
        throw ValidationError(
          "The name of \(path.string.printable) contains neither 1x1 nor 3x4; use --key.")
      }
      guard !videos.contains(where: { $0.key == key }) else {
        throw ValidationError("Two videos have the key \(key.rawValue).")
      }
      let stated = artworkID ?? Self.artworkID(of: path)
      guard let artworkID = ArtworkID(stated) else {
        throw ValidationError("An artworkID has 1 to \(ArtworkID.longest) bytes.")
      }
      videos.append(Video(path: path, artworkID: artworkID, key: key))
    }
    return videos
  }

  /// An ID that changes with the file: derived from its folder's name, its own name, its size and its modification
  /// time.
  private static func artworkID(of path: FilePath) -> String {
    let folder = path.removingLastComponent().lastComponent?.string ?? ""
    let state = FileState(of: path)
    let written = (state?.modified ?? .zero) / .seconds(1)
    return "\(folder)/\(path.lastComponent?.string ?? "")@\(state?.size ?? 0)-\(written)"
  }

  // MARK: Publishing

  private func publish(
    _ videos: [Video], as id: SessionID, through client: ArtworkClient
  ) async throws {
    for video in videos { try await put(video.path, as: video.reference, through: client) }
    if let cover, let first = videos.first {
      try await put(
        cover.path.absolute(in: .currentFolder), as: ArtworkReference(coverOf: first.artworkID),
        through: client)
    }
    let session = session(with: videos)
    var held: HeldSession?
    if detach || pid != nil {
      _ = try await client.publish(session, as: id, ownedBy: pid)
    } else {
      held = try await client.hold(session, as: id)
    }
    Terminal.printError("session \(id.text.printable)\n")
    var isComplete = true
    for video in videos {
      let answer = try await client.video(
        for: id, of: application, video.key, size: PixelSize(width: 1080, height: 1080))
      if let url = answer.url {
        Terminal.emit { "\(video.key.rawValue) \(url.printable)\n" }
      } else {
        isComplete = false
        Terminal.printError(
          "\(video.key.rawValue): no video: \(answer.reason.message.printable)\n")
      }
    }
    if let held {
      await reportFailures(of: held)
      await held.untilEnded()
      Terminal.printError("artworkd: another client ended the session\n")
    }
    if !isComplete { throw ExitStatus.unreadableInput.code }
  }

  /// Reports why the service does not hold the session, and when it does again, until the session ends.
  private func reportFailures(of held: HeldSession) async {
    var former: ClientError?
    for await trouble in held.troubleChanges where trouble != former {
      former = trouble
      let news = trouble.map { "is not held: \($0.description.printable)" } ?? "is held again"
      Terminal.printError("artworkd: the session \(news)\n")
    }
  }

  private func put(
    _ path: FilePath, as reference: ArtworkReference, through client: ArtworkClient
  ) async throws {
    let artwork = try await client.put(reference, ArtworkSource(file: path))
    let findings = artwork.report?.findings ?? []
    for finding in findings where finding.severity != "info" {
      Terminal.printError("\(path.string.printable): \(finding.message.printable)\n")
    }
    guard artwork.status == .refused else { return }
    let reason = artwork.error?.message ?? "the video cannot be used"
    Terminal.printError("artworkd: \(path.string.printable): \(reason.printable)\n")
    if let help = artwork.error?.help { Terminal.printError("  → \(help.printable)\n") }
    throw ExitStatus.unreadableInput.code
  }

  private func session(with videos: [Video]) -> MediaSession {
    let folder = videos.first?.path.removingLastComponent().lastComponent?.string
    return MediaSession(
      application: application,
      content: MediaContent(
        kind: kind, title: title ?? folder ?? "Untitled", subtitle: artist, collection: album),
      artwork: Dictionary(
        uniqueKeysWithValues: videos.map { ($0.key, $0.artworkID) }),
      playback: PlaybackSnapshot(
        state: .playing(), timestamp: Date().timeIntervalSince1970,
        duration: duration.map { .finite($0) } ?? .unknown))
  }
}

extension ArtworkKey: ExpressibleByArgument {}
extension MediaContent.Kind: ExpressibleByArgument {}
