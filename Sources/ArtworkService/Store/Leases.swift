package import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import Glibc
internal import Logging
import Synchronization
package import SystemPackage

extension StoreCore {
  func lease(_ key: StoreState.LeaseKey) -> Lease? { state.withLock { $0.leases[key] } }

  /// Makes the file that a session is to have, unless it has one, or the video is not stored. Reads and copies the whole video,
  /// and no change waits for that. Call ``commit(_:)`` or ``discard(_:)`` with the result.
  ///
  /// - Throws: `no-space`, `failed`.
  func prepareLease(
    _ key: StoreState.LeaseKey, owner: SessionOwner
  ) throws(StoreError) -> PreparedLease {
    var prepared = PreparedLease(key: key)
    if let lease = lease(key) {
      if isLeaseSound(lease) { return prepared }
      noteRepair("another program has changed a lease", ["file": "\(lease.file)"])
      prepared.hasRemoved = try change { _ throws(StoreError) in
        guard self.lease(key) == lease else { return false }
        try revoke(lease)
        return true
      }
    }
    guard let digest = present(key.reference, as: key.rendition),
      let asset = state.withLock({ $0.pin(digest) })
    else { return prepared }
    let (staged, video) = (layout.temporaryPath(), layout.asset(digest).appending(asset.file))
    var reserved: Int64 = 0
    defer { if prepared.made == nil { discard(staged, digest, reserved) } }
    let state = FileState(of: video)
    guard try isSoundOrRemoved(digest) else { return prepared }
    do throws(Errno) { try makeLeaseFolder(staged) } catch {
      throw StoreError(error, "lease \(key.reference)")
    }
    let making = try LeaseFile.make(
      staged.appending(asset.file), from: video, copyLimit: copyLimit,
      links: links(to: digest, at: video)
    ) { bytes throws(StoreError) in
      try change { index throws(StoreError) in
        try makeRoom(for: bytes, &index, sparing: digest)
        self.state.withLock { $0.reserve(bytes) }
      }
      reserved = bytes
    }
    let lease = Lease(
      session: key.session, reference: key.reference, digest: digest, bytes: asset.videoBytes,
      file: layout.leases.appending(StoreLayout.token()).appending(asset.file),
      rendition: key.rendition, making: making, owner: owner)
    prepared.made = PreparedLease.Made(
      lease: lease, video: video, state: state, staged: staged, reserved: reserved)
    return prepared
  }

  /// Gives a session the file that was made for it, unless the video has gone or changed meanwhile.
  ///
  /// - Returns: also whether the session had another file, or none, before.
  func commit(_ prepared: PreparedLease) throws(StoreError) -> (lease: Lease?, isNew: Bool) {
    try change { _ throws(StoreError) in
      defer { discard(prepared) }
      let present = lease(prepared.key)
      // Another request may have been quicker.
      guard present == nil, let made = prepared.made else { return (present, false) }
      return (try confirm(made), true)
    }
  }

  /// - Returns: `nil` when the video was evicted or written to meanwhile.
  private func confirm(_ made: PreparedLease.Made) throws(StoreError) -> Lease? {
    let (lease, staged) = (made.lease, made.staged)
    guard isStored(lease.digest), FileState(of: made.video) == made.state else { return nil }
    // Of a link, a change in the same tick of the clock would not show.
    let fileName = lease.file.lastComponent?.string ?? ""
    let stamp = lease.making == .link ? nil : FileStamp(of: staged.appending(fileName))
    let place = lease.file.removingLastComponent()
    do throws(Errno) {
      try writeLeaseFile(try bytes(LeaseDocument(lease, fileName, stamp)), in: staged)
      try DurableFiles.syncFolder(staged)
      try DurableFiles.makeFolder(layout.leases)
      try DurableFiles.rename(staged, to: place)
      try DurableFiles.syncFolder(layout.leases)
    } catch {
      throwAway(place)
      throw StoreError(error, "lease \(lease.reference)")
    }
    state.withLock { state in
      state.add(lease, stamp)
      if lease.making == .link { state.assets[lease.digest]?.stamp = nil }
      // What it was made of is in use, too.
      if let origin = state.origin(of: lease.digest) { state.use(origin.digest) }
      state.use(lease.digest)
    }
    return lease
  }

  // MARK: On a full disk

  /// Records for which room is kept: players hold few leases at a time.
  private static let reserveCount = 8
  /// Bytes of a record; a block of the usual file systems.
  private static let reserveBytes = 4096

  /// Makes the folder of a lease; on a full disk, from the reserve, with a record that can be written over.
  private func makeLeaseFolder(_ staged: FilePath) throws(Errno) {
    do throws(Errno) {
      try DurableFiles.makeFolder(staged)
    } catch {
      guard error == .noSpace || error == .diskQuotaExceeded, let reserve = leaseReserve.first
      else { throw error }
      try DurableFiles.rename(reserve, to: staged)
    }
  }

  private func writeLeaseFile(_ bytes: [UInt8], in staged: FilePath) throws(Errno) {
    let file = staged.appending(StoreLayout.leaseFile)
    if !file.exists {
      do throws(Errno) {
        return try DurableFiles.create(file, bytes)
      } catch {
        guard error == .noSpace || error == .diskQuotaExceeded, let reserve = leaseReserve.first
        else { throw error }
        DurableFiles.remove(file)
        try DurableFiles.rename(reserve.appending(StoreLayout.leaseFile), to: file)
        DurableFiles.remove(reserve)
      }
    }
    // Spaces, which JSON allows at its end: a shorter file would give its room back.
    let padding = [UInt8](
      repeating: UInt8(ascii: " "), count: max(0, Self.reserveBytes - bytes.count))
    try DurableFiles.overwrite(file, bytes + padding)
  }

  private var leaseReserve: [FilePath] {
    let names = (try? DurableFiles.names(in: layout.leasesReserve)) ?? []
    return names.map { layout.leasesReserve.appending($0) }
      .filter { $0.appending(StoreLayout.leaseFile).exists }
  }

  /// Keeps room for the records of leases, as far as there is any.
  func keepLeaseReserve() {
    do throws(Errno) {
      try DurableFiles.makeFolder(layout.leasesReserve)
      for _ in leaseReserve.count..<max(leaseReserve.count, Self.reserveCount) {
        let folder = layout.temporaryPath()
        do throws(Errno) {
          try DurableFiles.makeFolder(folder)
          try DurableFiles.allocate(folder.appending(StoreLayout.leaseFile), Self.reserveBytes)
          try DurableFiles.rename(
            folder, to: layout.leasesReserve.appending(StoreLayout.token()))
        } catch {
          DurableFiles.remove(folder)
          throw error
        }
      }
    } catch {
      logger.info("no room is kept for leases", metadata: ["error": "\(error)"])
    }
  }

  /// Removes what is left of a file that was made.
  func discard(_ prepared: PreparedLease) {
    guard let made = prepared.made else { return }
    discard(made.staged, made.lease.digest, made.reserved)
  }

  private func discard(_ staged: FilePath, _ digest: String, _ reserved: Int64) {
    state.withLock { $0.unpin(digest, reserved: reserved) }
    if staged.exists { DurableFiles.remove(staged) }
  }

  /// Removes a session's file.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func release(_ key: StoreState.LeaseKey) throws(StoreError) -> Bool {
    try change { _ throws(StoreError) in
      guard let lease = lease(key) else { return false }
      try revoke(lease)
      return true
    }
  }

  /// The number of leases that are hard links to a stored video. Those of one that was damaged and replaced are links to the
  /// old file.
  private func links(to digest: String, at video: FilePath) -> Int {
    guard let stored = FileState(of: video) else { return 0 }
    return state.withLock { $0.links(to: digest) }
      .count { FileState(of: $0)?.isSameFile(as: stored) == true }
  }

  /// Makes a lease's file again under its path, if the store has the video.
  func restore(_ lease: Lease) -> Bool {
    guard isSound(lease.digest), let video = file(lease.digest) else { return false }
    let (temporary, links) = (layout.temporaryPath(), links(to: lease.digest, at: video))
    defer { DurableFiles.remove(temporary) }
    do {
      var lease = lease
      lease.making = try LeaseFile.make(
        temporary, from: video, copyLimit: copyLimit, links: links, makeRoom: { _ in })
      // Whatever lies there instead.
      if !lease.opens { DurableFiles.remove(lease.file) }
      try DurableFiles.rename(temporary, to: lease.file)
      let stamp = lease.making == .link ? nil : FileStamp(of: lease.file)
      let document = LeaseDocument(lease, lease.file.lastComponent?.string ?? "", stamp)
      try DurableFiles.replace(
        lease.file.removingLastComponent().appending(StoreLayout.leaseFile),
        try StoreFormat.bytes(document), temporary: layout.temporaryPath())
      state.withLock { state in
        state.add(lease, stamp)
        if lease.making == .link { state.assets[lease.digest]?.stamp = nil }
      }
      return true
    } catch {
      return false
    }
  }

  func revoke(_ lease: Lease) throws(StoreError) {
    let folder = lease.file.removingLastComponent()
    guard throwAway(folder) else {
      throw StoreError(.failed, "cannot remove the lease \(folder)")
    }
    state.withLock { $0.removeLease(lease.key) }
    if leaseReserve.count < Self.reserveCount { keepLeaseReserve() }
  }
}

/// A session's own file with the bytes of a video. It stays for as long as the session publishes the artwork.
package struct Lease: Sendable, Hashable {
  /// How the file was made from the store's own.
  package enum Making: String, Sendable, Hashable, Codable {
    /// It shares blocks with the store's file until one of them changes.
    case reflink
    case copy
    /// A hard link: the store's file under another name.
    case link
  }

  package var session: SessionReference
  package var reference: ArtworkReference
  /// Hexadecimal SHA-256 of the video.
  package var digest: String
  /// Bytes of the video.
  package var bytes: Int64
  package var file: FilePath
  /// The size of a rendition; `nil` for the video itself.
  package var rendition: PixelSize?
  package var making: Making
  /// The owner of the session, as far as it outlives the service.
  package var owner: SessionOwner

  /// What is reported of it wherever it is.
  package var record: LeaseRecord {
    var record = LeaseRecord(session, reference, rendition: rendition)
    (record.digest, record.bytes, record.making) = (digest, bytes, making.rawValue)
    return record
  }

  /// Whether the file exists and has the right length.
  package var opens: Bool { FileState(of: file)?.size == bytes }

  /// The room that it takes beside the store's file.
  var ownBytes: Int64 { making == .copy ? bytes : 0 }

  var key: StoreState.LeaseKey {
    StoreState.LeaseKey(session, reference, rendition)
  }
}

/// A file on its way to a session.
struct PreparedLease: Sendable {
  var key: StoreState.LeaseKey
  /// Whether the session had a file with wrong bytes, which is removed.
  var hasRemoved = false
  /// What was made for the session; `nil` when it has the right file, or the video is not stored.
  var made: Made?

  struct Made: Sendable {
    var lease: Lease
    /// The store's file, and its state before it was read.
    var video: FilePath
    var state: FileState?
    /// The folder that becomes that of the lease.
    var staged: FilePath
    /// Bytes of the budget that are kept for it.
    var reserved: Int64
  }
}

/// Identifies the run of the operating system.
enum SystemStart {
  /// The kernel's random number of this run (proc(5)); `nil` where there is none.
  static let identifier: String? =
    (try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id")))
    .map { String(decoding: $0, as: UTF8.self).filter { $0 != "\n" } }
}

/// The owner of a session, whose end ends the session.
package struct SessionOwner: Sendable, Hashable, Codable {
  /// A process of this machine, with its start time: a later process may get the same number.
  package struct Process: Sendable, Hashable, Codable {
    package var identifier: Int32
    /// The start of the process in ticks since the system started; `nil` if the system does not report it.
    package var start: UInt64?

    package init(identifier: Int32, start: UInt64? = nil) {
      self.identifier = identifier
      self.start = start
    }
  }

  /// `nil` for a session that ends on request, or when the connection that holds it closes.
  package var process: Process?

  package init(process: Process? = nil) { self.process = process }
}

/// The file of a lease, made from the store's own.
enum LeaseFile {
  /// The most bytes that are copied, since a player waits for its copy: seconds for a gigabyte. Artwork of a usual length has
  /// a tenth of them.
  static let copyLimit: Int64 = 64 << 20

  /// Makes a file with the bytes of a video: by sharing its blocks where the file system can, else as a copy. What is
  /// larger than `copyLimit`, or does not fit, becomes a hard link that nobody may write to, unless the video has names
  /// outside of the store. A copy is not synced: it is compared with its digest after a restart of the system.
  ///
  /// - Parameters:
  ///   - links: leases that are hard links to the video.
  ///   - makeRoom: called with the bytes of a copy before it is made.
  /// - Throws: `no-space`, `failed`. Then nothing is at `target`.
  static func make(
    _ target: FilePath, from video: FilePath, copyLimit: Int64, links: Int,
    makeRoom: (Int64) throws(StoreError) -> Void
  ) throws(StoreError) -> Lease.Making {
    let source = try StagedVideo.reading(video)
    if try share(source, target) { return .reflink }
    // Another name is that of an immutable source, or a link that a player made of its own.
    let mayLink = source.names <= 1 + links
    if source.state.size <= copyLimit || !mayLink {
      do throws(StoreError) {
        try makeRoom(source.state.size)
        try copy(source, target)
        return .copy
      } catch {
        guard error.code == .noSpace, mayLink else { throw error }
      }
    }
    do throws(Errno) {
      try DurableFiles.link(video, to: target)
      try DurableFiles.makeReadOnly(target)
    } catch {
      DurableFiles.remove(target)
      throw StoreError(error, "link \(video)")
    }
    return .link
  }

  private static func share(_ source: SourceFile, _ target: FilePath) throws(StoreError) -> Bool {
    let file = try StagedVideo.created(target)
    defer { try? file.close() }
    if DurableFiles.shareBlocks(from: source.descriptor, to: file) { return true }
    DurableFiles.remove(target)
    return false
  }

  private static func copy(_ source: SourceFile, _ target: FilePath) throws(StoreError) {
    let file = try StagedVideo.created(target)
    defer { try? file.close() }
    do throws(Errno) { try DurableFiles.copy(source, to: file) } catch {
      DurableFiles.remove(target)
      throw StoreError(error, "copy \(target)")
    }
  }
}

/// Distinguishes a process from a later one with the same number.
enum ProcessIdentity {
  /// - Returns: the start time in ticks since the system started (field 22 of `/proc/PID/stat`, proc(5)); `.some(nil)` if
  ///   the system does not report it; `nil` if there is no such process, or if it is a zombie.
  static func start(of process: Int32) -> UInt64?? {
    guard process > 0 else { return nil }
    guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(process)/stat")) else {
      // Without /proc, only the number counts.
      return FilePath("/proc/self/stat").exists ? nil : isThere(process) ? .some(nil) : nil
    }
    // The second field is a name in parentheses that may hold anything, parentheses included.
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, !["Z", "X", "x"].contains(fields[0]) else { return nil }
    return UInt64(fields[19])
  }

  private static func isThere(_ process: Int32) -> Bool {
    kill(process, 0) == 0 || errno == EPERM
  }
}
