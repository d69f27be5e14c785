import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import Synchronization
import SystemPackage

/// A session that the desktop sees as a player: a separate connection, with a name, because desktops distinguish
/// players by connections.
actor ExportedSession {
  let reference: SessionReference
  private let client: ArtworkClient
  private let bus: Bus
  private let shared: SharedState
  private let previews: PreviewFolder
  private var current: MediaSession?
  private var fetching: Task<Void, Never>?

  /// The state that the thread of the buses answers with.
  private final class SharedState: Sendable {
    let state: Mutex<ExportedState>
    init(_ state: ExportedState) { self.state = Mutex(state) }
  }

  /// - Parameter name: that the connection takes.
  init(
    _ reference: SessionReference, as name: String, on address: BusAddress, _ client: ArtworkClient,
    _ previews: PreviewFolder
  ) async throws(BusError) {
    self.reference = reference
    self.client = client
    self.previews = previews
    let shared = SharedState(
      ExportedState(
        application: reference.application,
        desktopFile: DesktopFile(
          of: reference.application, environment: ProcessInfo.processInfo.environment)))
    self.shared = shared
    bus = try await Bus(address) { message in
      guard case .call = message.kind else { return nil }
      switch shared.state.withLock({ $0 }).reaction(to: message, at: SteadyTime.shared.now) {
      case .answer(let answer): return answer
      case .request(let command):
        // The result appears in the session.
        Task {
          try? await client.perform(command, for: .session(reference.id, of: reference.application))
        }
        return .values([])
      case .nothing: return .values([])
      }
    }
    // Another program with the name would be seen in its place.
    guard try await bus.request(name) else { throw .refused(name: "\(name) is taken") }
  }

  /// Notifies the desktop of changes.
  func update(_ session: MediaSession) {
    guard session != current else { return }
    let hasOtherItem = session.content != current?.content
    let hasOtherArtwork =
      session.artwork != current?.artwork || session.cover != current?.cover
      || session.content?.picture != current?.content?.picture
    let before = current
    current = session
    change { state in
      state.content = session.content
      state.playback = session.timedPlayback
      state.commands = session.commands
      if hasOtherItem { state.track += 1 }
      if hasOtherArtwork { state.artwork = .init() }
    }
    if let old = before?.timedPlayback, let new = session.timedPlayback, let now = new.timestamp,
      hasOtherItem || abs(old.position(at: now) - new.position(at: now)) > 1
    {
      bus.emit(
        .signal(
          MPRIS.path, MPRIS.player, "Seeked",
          [.int64(ExportedState.microseconds(new.position(at: now)))]))
    }
    if hasOtherArtwork {
      fetching?.cancel()
      fetching = Task { await fetch(session) }
    }
  }

  func end() {
    fetching?.cancel()
    previews.release(reference)
  }

  private func change(_ body: (inout ExportedState) -> Void) {
    let (old, new) = shared.state.withLock { state in
      let old = state
      body(&state)
      return (old.player, state.player)
    }
    let changed = new.filter { old[$0.key] != $0.value }
    guard !changed.isEmpty else { return }
    bus.emit(
      .signal(
        MPRIS.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string(MPRIS.player), .dictionary(changed), .strings([])]))
  }

  // MARK: Artwork

  /// The size in a panel, doubled.
  private static let previewSize = PixelSize(width: 512, height: 512)
  private static let videoSize = PixelSize(width: 1080, height: 1080)

  private func fetch(_ session: MediaSession) async {
    let keys = ArtworkKey.allCases.filter { session.artwork[$0] != nil }
    let animated = keys.first.flatMap { key in
      session.artwork[key].map { ArtworkReference($0, key) }
    }
    var found = ExportedState.Artwork()
    guard let picture = animated ?? session.cover.map(ArtworkReference.init(coverOf:)) else {
      guard let sent = session.content?.picture else { return }
      found.preview = previews.keep(sent.data, as: sent.type.rawValue, for: reference)
      return show(found, of: session)
    }
    found.artworkID = picture.artworkID
    // Once the session has ended, or has other artwork, nobody would remove the file.
    if let image = try? await client.preview(picture, inside: Self.previewSize), !Task.isCancelled {
      found.preview = previews.keep(image.png, as: "png", for: reference)
    }
    show(found, of: session)
    for key in keys {
      let answer = try? await client.video(
        for: reference.id, of: reference.application, key, size: Self.videoSize)
      if let url = answer?.url { found.videos[key] = url }
    }
    show(found, of: session)
  }

  private func show(_ found: ExportedState.Artwork, of session: MediaSession) {
    guard current?.artwork == session.artwork, current?.cover == session.cover, !Task.isCancelled
    else { return }
    change { $0.artwork = found }
  }
}

/// The files of previews for desktops, each for as long as its session uses it.
final class PreviewFolder: Sendable {
  private let folder: FilePath
  private let files = Mutex<[SessionReference: FilePath]>([:])

  /// - Parameter folder: an existing one, for this user and companion alone; those of an earlier run are removed.
  init(_ folder: FilePath) {
    self.folder = folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    for name in names
    where [".png", ".jpeg"].contains(where: name.hasSuffix) || name.hasPrefix("sent-") {
      try? FileManager.default.removeItem(atPath: folder.appending(name).string)
    }
  }

  /// - Returns: the URL of the file; `nil` if it cannot be written.
  func keep(
    _ picture: [UInt8], as type: String, for session: SessionReference
  ) -> String? {
    // Each session has a separate file, named after its contents: viewers cache by URL.
    guard let digest = try? SHA256.digest(of: Array("\(session)\n".utf8) + picture) else {
      return nil
    }
    let file = folder.appending("\(digest.prefix(12).hexadecimal).\(type)")
    guard (try? AtomicFile.write(picture, to: file)) != nil else { return nil }
    replace(file, of: session)
    return "file://\(file.percentEncoded)"
  }

  func release(_ session: SessionReference) { replace(nil, of: session) }

  private func replace(_ file: FilePath?, of session: SessionReference) {
    let old = files.withLock { files in
      let old = files[session]
      files[session] = file
      return old
    }
    if let old, old != file { try? FileManager.default.removeItem(atPath: old.string) }
  }
}
