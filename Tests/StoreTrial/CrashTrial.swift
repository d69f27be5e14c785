#if DEBUG
  import ArgumentParser
  import Logging
  import Synchronization
  import SystemPackage

  @testable import ArtworkModel
  @testable import ArtworkPipeline
  @testable import ArtworkService

  import Glibc

  /// A fixed run over a store, all of it on one thread, so that its system calls come in the same order each time and any
  /// of them can be the last, or fail. Prints what it begins and what it has done, one line each.
  struct CrashTrial: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "crash")

    @Argument(help: "The store.") var folder: String
    @Argument(help: "A folder with the files a, b and c.") var sources: String
    @Flag(help: "Promise a lease before it is there.") var promisesEarly = false
    @Flag(help: "Write the sessions over the old ones.") var writesInPlace = false

    func run() throws {
      let inspector = try KnownInspector()
      let core: StoreCore
      do throws(StoreError) {
        core = try StoreCore.open(
          FilePath(folder), byteBudget: 1 << 20, copyLimit: Self.copyLimit, profile: .nowPlaying,
          logger: Logger(label: "trial") { _ in SwiftLogNoOpLogHandler() })
      } catch {
        Self.report("failed open \(error.code.rawValue)")
        return
      }
      let (one, two) = (SessionID("one"), SessionID("two"))
      guard let one, let two else { return }
      step("publish a") { try publish("a", core, inspector) }
      step("sessions 1") { try keep([one: ["a"]], core) }
      lease(one, "a", core)
      step("publish b") { try publish("b", core, inspector) }
      step("sessions 2") { try keep([one: ["a"], two: ["a", "b"]], core) }
      step("play") { try keep([one: ["a"], two: ["a", "b"]], core, playing: true) }
      lease(two, "b", core)
      lease(two, "a", core)
      step("preview b") {
        guard let digest = core.record(reference("b"))?.digest else { return }
        try core.keep(Array("small".utf8), of: digest)
      }
      step("version b") { try makeVersion(of: "b", core, inspector) }
      step("publish a2") { try publish("a", as: "a2", core, inspector) }
      step("publish c") { try publish("c", core, inspector) }
      step("sessions 3") { try keep([two: ["b"]], core) }
      // A player overwrites its file, and the next one is right again.
      step("harm two a") {
        guard
          let lease = core.lease(.init(SessionReference("trial", two), reference("a")))
        else { return }
        try DurableFiles.overwrite(lease.file, Array("other".utf8))
      }
      lease(two, "a", core)
      step("release one a") {
        try core.release(.init(SessionReference("trial", one), reference("a")))
      }
      step("release two a") {
        try core.release(.init(SessionReference("trial", two), reference("a")))
      }
      step("evict") {
        core.touch(core.record(reference("c"))?.digest ?? "")
        core.writeUses()
        try core.evict(downTo: 0)
      }
      step("publish a again") { try publish("a", core, inspector) }
      // One of two names of the same bytes, then the only name of others.
      step("forget a2") { _ = try core.forget(reference("a2")) }
      step("forget c") { _ = try core.forget(reference("c")) }
      step("sessions on a full disk") {
        let record = record(of: [two: ["b"]])
        try SessionFile(layout: core.layout).writeIntoReserve(try SessionFile.bytes(record))
      }
      // Another program removes folders.
      step("lose folders") {
        DurableFiles.remove(core.layout.leases)
        DurableFiles.remove(core.layout.incoming)
      }
      guard let three = SessionID("three") else { return }
      lease(three, "a", core)
      lease(three, "b", core)
    }

    /// The third file is a static cover.
    private func reference(_ name: String) -> ArtworkReference {
      guard let id = ArtworkID(name) else { preconditionFailure("a name is an ID") }
      return name == "c" ? ArtworkReference(coverOf: id) : ArtworkReference(id, .square)
    }

    private func publish(
      _ file: String, as name: String? = nil, _ core: StoreCore, _ inspector: KnownInspector
    ) throws {
      let (path, reference) = (FilePath(sources).appending(file), reference(name ?? file))
      let source = ArtworkSource.file(path: path.string)
      try core.register(reference, source)
      let staged = try StagedVideo.create(
        path, immutable: false, into: core.layout, limit: 1 << 20, isCancelled: { false })
      let claim = StoreCore.Claim(reference: reference, source: source, formerSource: source)
      if try core.assign(staged.digest, to: claim) { return }
      let inspected = try inspector.inspect(
        Candidate(path: staged.path), InspectionRequest(preview: .original))
      try core.adopt(staged, inspected.inspection, preview: inspected.preview ?? [], as: claim)
    }

    private func makeVersion(
      of name: String, _ core: StoreCore, _ inspector: KnownInspector
    ) throws {
      guard let digest = core.record(reference(name))?.digest else { return }
      let incoming = try IncomingVideo(extension: "mp4", in: core.layout)
      defer { incoming.endWriting() }
      _ = try incoming.descriptor.writeAll(Array("a version".utf8))
      let staged = try incoming.finish()
      let inspection = try inspector.inspect(
        Candidate(path: staged.path), InspectionRequest()
      ).inspection
      try core.addVersion(
        staged, inspection,
        as: RenditionKey(digest: digest, size: PixelSize(width: 8, height: 8)))
    }

    /// The first video is copied for a session; the second, which is a byte longer, is linked.
    static let copyLimit: Int64 = 15

    private func record(
      of sessions: [SessionID: [String]], playing: Bool = false
    ) -> SessionRecord {
      var record = SessionRecord()
      for (id, names) in sessions {
        // One key each; the names only have to come back.
        record.board.publish(
          MediaSession(
            application: names.joined(separator: "+"),
            playback: playing && names.count > 1 ? PlaybackSnapshot(state: .playing()) : nil),
          as: id)
      }
      return record
    }

    private func keep(
      _ sessions: [SessionID: [String]], _ core: StoreCore, playing: Bool = false
    ) throws {
      let record = record(of: sessions, playing: playing)
      if writesInPlace {
        let path = core.layout.root.appending("sessions.ndjson")
        let target = try FileDescriptor.open(
          path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        try target.closeAfter {
          let bytes = try SessionFile.bytes(record)
          _ = try target.writeAll(bytes.prefix(bytes.count / 2))
          _ = try target.writeAll(bytes.dropFirst(bytes.count / 2))
        }
      } else {
        try core.sessions.withLock { try $0.write(record) }
      }
    }

    private func lease(_ session: SessionID, _ name: String, _ core: StoreCore) {
      let step = "lease \(session) \(name)"
      Self.report("begin \(step)")
      if promisesEarly { Self.report("done \(step)") }
      do throws(StoreError) {
        guard
          let lease = try core.commit(
            try core.prepareLease(
              .init(SessionReference("trial", session), reference(name)), owner: SessionOwner())
          ).lease
        else {
          return Self.report("failed \(step) not-here")
        }
        if !promisesEarly { Self.report("done \(step) \(lease.file)") }
      } catch {
        Self.report("failed \(step) \(error.code.rawValue)")
      }
    }

    private func step(_ name: String, _ body: () throws -> Void) {
      Self.report("begin \(name)")
      do {
        try body()
        Self.report("done \(name)")
      } catch {
        Self.report("failed \(name) \((error as? StoreError)?.code.rawValue ?? "\(error)")")
      }
    }

    /// With a call that is not among those that fail.
    private static func report(_ line: String) {
      var bytes = Array((line + "\n").utf8)
      unsafe bytes.withUnsafeMutableBytes { buffer in
        var part = unsafe iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
        _ = unsafe writev(STDOUT_FILENO, &part, 1)
      }
    }
  }
#endif
