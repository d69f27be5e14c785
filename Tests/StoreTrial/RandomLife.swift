import ArtworkModel
import ArtworkPipeline
import ArtworkService
import Foundation
import Logging
import Synchronization
import SystemPackage

/// A store with its sessions, and beside it an oracle that knows what must be: which session publishes what, which bytes
/// an ID stands for, and every path that was ever handed out.
struct RandomLife {
  enum Action: CaseIterable {
    case publish, replace, ask, end, evict, changeSource, putAgain, killClient, suspendClient
    case killService, preview, forget, asks, harm, loseFolders
  }

  struct Disagreement: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }

  private struct Session: Equatable {
    var artwork: [ArtworkKey: Int] = [:]
    var process: Int32
  }

  private static let names = 24
  private static let players = 6

  private let root: FilePath
  private let inspector: KnownInspector
  private var random: SplitMix
  /// `nil` only while there is none.
  private var running: NowPlayingCenter?
  /// Processes that live; shared with the centre, which checks them.
  private let alive: AliveProcesses
  private(set) var counts: [Action: Int] = [:]

  // What must be.
  private var sessions: [Int: Session] = [:]
  /// The version of the content that each ID stands for, once it was taken in.
  private var meaning: [Int: Int] = [:]
  /// What its source holds now.
  private var content: [Int: Int] = [:]
  /// Paths that are published, by session and key, with the version of the content.
  private var handed: [Held: (path: FilePath, name: Int, version: Int)] = [:]
  /// Those whose files a player has harmed: they need not be right until their sessions ask again.
  private var harmed: Set<Held> = []
  /// Paths that must be gone.
  private var gone: [FilePath] = []
  private var nextProcess: Int32 = 100
  private var affected: Set<Int> = []

  private struct Held: Hashable {
    var session: Int
    var key: ArtworkKey
  }

  init(_ root: FilePath, seed: UInt64) async throws {
    self.root = root
    random = SplitMix(state: seed)
    inspector = try KnownInspector()
    alive = AliveProcesses()
    try FileManager.default.createDirectory(
      atPath: root.appending("sources").string, withIntermediateDirectories: true)
    running = try await Self.start(root, inspector, alive)
    for name in 0..<Self.names { try write(name, version: 0) }
  }

  private static func start(
    _ root: FilePath, _ inspector: KnownInspector, _ alive: AliveProcesses
  ) async throws -> NowPlayingCenter {
    var options = AssetStore.Options(folder: root.appending("store"))
    // A third of what all the videos would take.
    options.byteBudget = 5000
    // Two thirds of the videos are larger.
    options.copyLimit = 200
    options.refusalLife = .zero
    options.profile.severities["aspect-ratio"] = .off
    let store = try await opened(options, inspector)
    var center = NowPlayingCenter.Options()
    center.process = { alive.process($0) }
    center.isAlive = { alive.contains($0) }
    return try await NowPlayingCenter(store: store, options: center)
  }

  /// The last of what was before may still be going.
  private static func opened(
    _ options: AssetStore.Options, _ inspector: KnownInspector
  ) async throws -> AssetStore {
    for _ in 0..<12_000 {
      do throws(StoreError) {
        return try AssetStore.open(
          options, inspector: inspector,
          logger: Logger(label: "trial") { _ in SwiftLogNoOpLogHandler() })
      } catch {
        guard error.code == .locked else { throw error }
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Disagreement("the store stays locked")
  }

  // MARK: Steps

  mutating func draw() -> Action {
    // Restarts are dear and rare in life, too.
    let rare: [Action] = [.killService, .loseFolders]
    let action =
      (Int.random(in: 0..<300, using: &random) == 0
      ? rare : Action.allCases.filter { !rare.contains($0) }).randomElement(using: &random)
      ?? .ask
    counts[action, default: 0] += 1
    return action
  }

  mutating func act(_ action: Action) async throws {
    affected = []
    switch action {
    case .publish, .replace: try await publish()
    case .ask, .asks: try await ask()
    case .preview: try await preview()
    case .end:
      guard let id = sessions.keys.sorted().randomElement(using: &random) else { return }
      let wasThere = try await center.end(identity(id))
      try expect(wasThere, "session \(id) was not there")
      forget(id)
    case .evict: _ = try await center.store.evict(downTo: 0)
    case .changeSource:
      let name = Int.random(in: 0..<Self.names, using: &random)
      try write(name, version: (content[name] ?? 0) + 1)
    case .putAgain: try await put()
    case .killClient:
      guard let id = sessions.keys.sorted().randomElement(using: &random),
        let session = sessions[id]
      else { return }
      alive.end(session.process)
      try await center.endOrphans()
      forget(id)
    case .suspendClient:
      // It still owns what it owns, however often that is checked.
      try await center.endOrphans()
      affected = Set(sessions.keys)
    case .forget: try await removeArtwork()
    case .killService:
      // Nothing is closed or said; the next one finds what there is.
      running = nil
      running = try await Self.start(root, inspector, alive)
      affected = Set(sessions.keys)
      // A lease whose folder a player has removed is not known any more.
      for held in harmed where handed[held]?.path.removingLastComponent().exists == false {
        handed[held] = nil
        harmed.remove(held)
      }
    case .harm:
      guard let held = try harm(), Bool.random(using: &random) else { return }
      try await ask(held)
    case .loseFolders:
      for name in ["leases", "incoming"] where Bool.random(using: &random) {
        try? FileManager.default.removeItem(atPath: root.appending("store/\(name)").string)
        if name == "leases" { harmed.formUnion(handed.keys) }
      }
    }
  }

  /// What a player may do to the file that it was given.
  ///
  /// - Returns: whose file it was.
  private mutating func harm() throws -> Held? {
    let keys = handed.keys.sorted { ($0.session, $0.key.rawValue) < ($1.session, $1.key.rawValue) }
    guard let held = keys.randomElement(using: &random), let file = handed[held],
      // Not one that is gone, or a folder by now.
      FileManager.default.contents(atPath: file.path.string) != nil
    else { return nil }
    affected = Set(sessions.keys)
    let (path, url) = (file.path.string, URL(fileURLWithPath: file.path.string))
    let way = Int.random(in: 0..<10, using: &random)
    harmed.insert(held)
    // Other names of the same file are those of large videos, and the store notices.
    if way < 5 {
      let inode = try inode(path)
      for (other, its) in handed where (try? self.inode(its.path.string)) == inode {
        harmed.insert(other)
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    }
    switch way {
    case 0: try write(to: url) { try $0.truncate(atOffset: UInt64(path.utf8.count % 90)) }
    case 1:
      try write(to: url) {
        try $0.seekToEnd()
        try $0.write(contentsOf: Data("more".utf8))
      }
    case 2: try write(to: url) { try $0.write(contentsOf: Data("other".utf8)) }
    case 3: try write(to: url) { try $0.truncate(atOffset: 0) }
    case 4:
      // As long as before, and with the old time of change.
      let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
      try write(to: url) { try $0.write(contentsOf: Data("other".utf8)) }
      try FileManager.default.setAttributes(
        [.modificationDate: time ?? Date.distantPast], ofItemAtPath: path)
    case 5:
      try FileManager.default.removeItem(at: url)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    case 6: try FileManager.default.removeItem(at: url)
    case 7: try FileManager.default.moveItem(atPath: path, toPath: path + ".stolen")
    case 8: try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    default:
      try FileManager.default.setAttributes(
        [.modificationDate: Date.distantPast], ofItemAtPath: path)
    }
    try checkSource(file.name)
    return held
  }

  private func inode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
  }

  private func write(to url: URL, _ body: (FileHandle) throws -> Void) throws {
    let file = try FileHandle(forUpdating: url)
    try body(file)
    try file.close()
  }

  private var center: NowPlayingCenter {
    get throws {
      guard let running else { throw Disagreement("there is no centre") }
      return running
    }
  }

  private mutating func publish() async throws {
    let id = Int.random(in: 0..<Self.players, using: &random)
    var session = sessions[id] ?? Session(process: newProcess())
    session.artwork = [:]
    for key in ArtworkKey.allCases where Bool.random(using: &random) {
      session.artwork[key] = Int.random(in: 0..<Self.names, using: &random)
    }
    var media = MediaSession(application: "trial")
    for (key, name) in session.artwork { media.artwork[key] = reference(name, key).artworkID }
    try await center.publish(media, as: identity(id), ownedBy: session.process)
    for key in ArtworkKey.allCases {
      if let old = handed[Held(session: id, key: key)], session.artwork[key] != old.name {
        forget(Held(session: id, key: key))
      }
    }
    sessions[id] = session
    affected = [id]
    // Nobody can ask for what was never put.
    for (key, name) in session.artwork where Bool.random(using: &random) {
      try await put(name, key)
    }
  }

  /// Asks for a video that is published.
  private mutating func ask() async throws {
    guard let id = sessions.keys.sorted().randomElement(using: &random),
      let key = sessions[id]?.artwork.keys.min(by: { $0.rawValue < $1.rawValue })
    else { return }
    affected = [id]
    try await ask(Held(session: id, key: key))
  }

  private mutating func ask(_ held: Held) async throws {
    guard let name = sessions[held.session]?.artwork[held.key] else { return }
    let key = held.key
    let answer = try await center.video(for: identity(held.session), key, within: .seconds(60))
    switch answer {
    case .video(let lease):
      let version = meaning[variant(name, key)]
      if let before = handed[held], before.path != lease.file {
        try expect(harmed.contains(held), "another path was handed out for the same artwork")
        gone.append(before.path)
      }
      harmed.remove(held)
      // What was evicted comes back from its source, and only if that still holds the same.
      let known = version ?? content[name] ?? 0
      meaning[variant(name, key)] = known
      handed[held] = (lease.file, name, known)
    case .none(let code, let message):
      try expect(
        handed[held] == nil || harmed.contains(held), "a lease was refused that is held: \(code)")
      if let before = handed[held], !before.path.removingLastComponent().exists {
        forget(held)
      }
      let isExpected =
        code == "unknown-artwork" && !isPut.contains(variant(name, key))
        || code == "conflict" && meaning[variant(name, key)] != content[name]
        || code == "no-space"
      try expect(isExpected, "\(code): \(message)")
    }
  }

  private mutating func preview() async throws {
    let (name, key) = (Int.random(in: 0..<Self.names, using: &random), ArtworkKey.square)
    let side = 1 + Int.random(in: 0..<20, using: &random)
    do throws(StoreError) {
      let size = PixelSize(width: side, height: side)
      _ = try await center(for: "a preview").store.preview(reference(name, key), inside: size)
      if meaning[variant(name, key)] == nil { meaning[variant(name, key)] = content[name] ?? 0 }
    } catch {
      let isExpected =
        error.code == .unknownArtwork && !isPut.contains(variant(name, key))
        || error.code == .conflict && meaning[variant(name, key)] != content[name]
        || error.code == .noSpace
      if !isExpected { throw StoreError(.failed, "a preview: \(error.code): \(error)") }
    }
  }

  private mutating func put() async throws {
    try await put(
      Int.random(in: 0..<Self.names, using: &random),
      ArtworkKey.allCases.randomElement(using: &random) ?? .square)
  }

  private mutating func put(_ name: Int, _ key: ArtworkKey) async throws {
    let version = content[name] ?? 0
    do throws(StoreError) {
      let source = ArtworkSource.file(path: path(name).string, immutable: Self.isImmutable(name))
      let (artwork, _, _) = try await center(for: "a put").store.put(reference(name, key), source)
      let known = meaning[variant(name, key)]
      guard known == nil || known == version else {
        throw StoreError(.failed, "\(name) stood for \(known ?? 0) and takes \(version)")
      }
      isPut.insert(variant(name, key))
      if artwork.digest != nil { meaning[variant(name, key)] = version }
    } catch {
      if error.code == .noSpace {
        isPut.insert(variant(name, key))
        return
      }
      guard error.code == .conflict, let known = meaning[variant(name, key)], known != version
      else { throw StoreError(.failed, "a put: \(error.code): \(error)") }
    }
  }

  private mutating func removeArtwork() async throws {
    let (name, key) = (Int.random(in: 0..<Self.names, using: &random), ArtworkKey.tall)
    let isPublished =
      isPut.contains(variant(name, key)) && sessions.values.contains { $0.artwork[key] == name }
    do throws(StoreError) {
      let wasThere = try await center(for: "a removal").store.remove(reference(name, key))
      guard !isPublished else {
        throw StoreError(.failed, "\(name) was removed though it is published")
      }
      guard wasThere == isPut.contains(variant(name, key)) else {
        throw StoreError(.failed, "\(name) \(wasThere ? "was" : "was not") there")
      }
      isPut.remove(variant(name, key))
      meaning[variant(name, key)] = nil
    } catch {
      if error.code != .inUse || !isPublished { throw StoreError(.failed, "a removal: \(error)") }
    }
  }

  private func center(for _: String) throws(StoreError) -> NowPlayingCenter {
    guard let running else { throw StoreError(.failed, "there is no centre") }
    return running
  }

  private mutating func forget(_ id: Int) {
    sessions[id] = nil
    for key in ArtworkKey.allCases { forget(Held(session: id, key: key)) }
  }

  private mutating func forget(_ held: Held) {
    if let old = handed.removeValue(forKey: held) { gone.append(old.path) }
    harmed.remove(held)
  }

  // MARK: What must be

  /// Of the sessions that the last step touched, and of all paths that went.
  mutating func checkAffected() throws {
    for (held, file) in handed where affected.contains(held.session) { try check(held, file) }
    for path in gone {
      try expect(
        !FileManager.default.fileExists(atPath: path.string), "\(path) outlives its session")
    }
    gone = []
  }

  func checkEverything() throws {
    let center = try center
    for (held, file) in handed { try check(held, file) }
    let leases = Set(center.store.leases().map(\.file))
    try expect(leases == Set(handed.values.map(\.path)), "the leases are others")
    func folders(_ keys: [Held]) -> Set<String> {
      Set(keys.compactMap { handed[$0]?.path.removingLastComponent().lastComponent?.string })
    }
    let found = Set(names(in: "leases"))
    try expect(found.isSubset(of: folders(Array(handed.keys))), "\(found.count) leases on disk")
    try expect(
      found.isSuperset(of: folders(handed.keys.filter { !harmed.contains($0) })),
      "\(found.count) leases on disk, too few")
    for name in 0..<Self.names { try checkSource(name) }
    try expect(
      Set(center.board.sessions.keys.map(\.id.text)) == Set(sessions.keys.map { "\($0)" }),
      "the sessions are others")
    let usage = center.store.usage()
    try expect(usage.bytes <= usage.byteBudget, "\(usage.bytes) bytes are over the budget")
    let left = names(in: "incoming")
    try expect(left.isEmpty, "\(left.count) things are left in incoming")
  }

  private func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(
      atPath: root.appending("store/\(folder)").string)) ?? []
  }

  /// What a player does to its file must not reach the user's.
  private func checkSource(_ name: Int) throws {
    try expect(
      FileManager.default.contents(atPath: path(name).string)
        == Data(Self.bytes(name, content[name] ?? 0)), "the source \(name) was written to")
  }

  private func check(_ held: Held, _ file: (path: FilePath, name: Int, version: Int)) throws {
    if harmed.contains(held) { return }
    let bytes = FileManager.default.contents(atPath: file.path.string)
    try expect(
      bytes == Data(Self.bytes(file.name, file.version)),
      "\(file.path), published by session \(held.session), is \(bytes == nil ? "gone" : "other bytes")"
    )
  }

  private func expect(_ condition: Bool, _ message: String) throws {
    if !condition { throw Disagreement(message) }
  }

  // MARK: Names

  private var isPut: Set<Int> = []

  private func identity(_ id: Int) -> SessionID {
    guard let identity = SessionID("\(id)") else { preconditionFailure("a number is an ID") }
    return identity
  }

  private func reference(_ name: Int, _ key: ArtworkKey) -> ArtworkReference {
    guard let id = ArtworkID("artwork-\(name)") else { preconditionFailure("a name is an ID") }
    return ArtworkReference(id, key)
  }

  private func variant(_ name: Int, _ key: ArtworkKey) -> Int { name * 2 + (key == .tall ? 1 : 0) }

  private func path(_ name: Int) -> FilePath { root.appending("sources/\(name).mp4") }

  /// In place, as a careless editor does it, unless its owner has promised not to.
  private mutating func write(_ name: Int, version: Int) throws {
    content[name] = version
    try Data(Self.bytes(name, version)).write(
      to: URL(fileURLWithPath: path(name).string),
      options: Self.isImmutable(name) ? .atomic : [])
  }

  private static func isImmutable(_ name: Int) -> Bool { name % 3 == 0 }

  private static func bytes(_ name: Int, _ version: Int) -> [UInt8] {
    Array("video \(name) in version \(version) ".utf8)
      + [UInt8](repeating: UInt8(truncatingIfNeeded: name &+ version), count: 100 + name * 10)
  }

  private mutating func newProcess() -> Int32 {
    nextProcess += 1
    alive.begin(nextProcess)
    return nextProcess
  }
}

/// Processes that are there, without the system.
final class AliveProcesses: Sendable {
  private let numbers = Mutex<Set<Int32>>([])

  func begin(_ number: Int32) { numbers.withLock { _ = $0.insert(number) } }
  func end(_ number: Int32) { numbers.withLock { _ = $0.remove(number) } }
  func process(_ number: Int32) -> SessionOwner.Process? {
    contains(SessionOwner.Process(identifier: number))
      ? SessionOwner.Process(identifier: number) : nil
  }
  func contains(_ process: SessionOwner.Process) -> Bool {
    numbers.withLock { $0.contains(process.identifier) }
  }
}
