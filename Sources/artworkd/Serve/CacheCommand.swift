import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import SystemPackage

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "List, verify and repair the store of artworkd serve.",
    discussion: """
      list and verify also work while the service runs. gc and clear change the store, so stop the \
      service first.

      \(ExitStatus.words)
      """,
    subcommands: [
      CacheListCommand.self, CacheVerifyCommand.self, CacheCollectCommand.self,
      CacheClearCommand.self,
    ],
    defaultSubcommand: CacheListCommand.self)
}

struct CacheListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the artworks in the store.")

  @OptionGroup var store: StoreOptions

  @Option(help: "The output format.")
  var format: OutputFormat = .text

  func run() throws {
    let listing = try StoreAccess.reportingErrors { () throws(StoreError) in
      try StoreListing(of: store.folder)
    }
    switch format {
    case .json: try StoreDocument(listing).write()
    case .text:
      // A cover that was never requested takes no space.
      for artwork in listing.artworks + listing.covers.filter({ $0.bytes != nil }) {
        print(artwork)
      }
      let (count, leases) = (listing.artworks.count, listing.leases.count)
      Terminal.emit {
        "\(counted(count, "artwork")), \(ByteCount(listing.bytes)) on disk, "
          + "\(counted(leases, "lease"))\n"
      }
    }
  }

  private func print(_ artwork: ArtworkRecord) {
    let size = artwork.bytes.map { "\(ByteCount($0))" } ?? "not stored"
    let leased = artwork.leases > 0 ? "  leased" : ""
    Terminal.emit {
      "\(artwork.reference.artworkID.text.printable)  \(artwork.reference.part)  \(size)\(leased)\n"
        + "  from \(artwork.source.text.printable)\n"
    }
  }
}

struct CacheVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Compare every file in the store with its digest.")

  @OptionGroup var store: StoreOptions

  func run() throws {
    let found = try StoreAccess.reportingErrors { () throws(StoreError) in
      try StoreVerification(of: store.folder)
    }
    for problem in found.problems {
      Terminal.emit { "\(problem.path.string.printable): \(problem.message)\n  \(problem.help)\n" }
    }
    let (videos, count) = (found.videos, found.problems.count)
    Terminal.emit {
      "\(counted(videos, "video")) read, "
        + (count == 0
          ? "all intact\n" : "\(counted(count, "problem"))\n")
    }
    if count > 0 { throw ExitStatus.findings.code }
  }
}

struct CacheCollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gc",
    abstract: "Repair the store, release leases whose owners have ended, and shrink to a budget.",
    discussion: "Reads every file, as verify does, and removes damaged files.")

  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      "Shrink to this size, such as 500MiB; the default is 2GiB. Leased videos are never removed.",
      valueName: "bytes"),
    transform: { try StoreAccess.bytes($0) })
  var budget: Int64 = 2 << 30

  func run() throws {
    try StoreAccess.change(store.folder) { center, before in
      let repaired = try await center.store.repair()
      let evicted = try await center.store.evict(downTo: budget)
      let (usage, leases) = (center.store.usage(), center.store.leases().count)
      Terminal.emit {
        "\(repaired) damaged, \(before - leases) leases released, \(evicted) videos removed; "
          + "\(ByteCount(usage.bytes)) and \(leases) leases stay\n"
      }
    }
  }
}

struct CacheClearCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove every artwork that no session publishes.",
    discussion: "An artwork that a session publishes stays until the session ends.")

  @OptionGroup var store: StoreOptions

  func run() throws {
    try StoreAccess.change(store.folder) { center, _ in
      let store = center.store
      func clear(_ artworks: [ArtworkRecord]) async throws(StoreError) -> (gone: Int, kept: Int) {
        var (gone, kept) = (0, 0)
        for artwork in artworks {
          do throws(StoreError) {
            if try await store.remove(artwork.reference) { gone += 1 }
          } catch {
            guard error.code == .inUse else { throw error }
            kept += 1
          }
        }
        return (gone, kept)
      }
      // On a full disk, this makes room for the changes of the index.
      _ = try await store.evict(downTo: 0)
      let (gone, kept) = try await clear(store.artworks())
      // The covers of removed artworks were removed with them.
      _ = try await clear(store.covers())
      let stay = kept == 0 ? "" : "; \(kept) kept because sessions publish them (artworkd leases)"
      Terminal.emit { "\(counted(gone, "artwork")) removed\(stay)\n" }
    }
  }
}
