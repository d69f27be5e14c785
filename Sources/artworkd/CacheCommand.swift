import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import ArtworkStore
import Logging
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Look at the store of artworkd serve, and mend it.",
    discussion: """
      list and verify also work while the service runs. gc and clear change things and need the store \
      to themselves.

      Exit codes: 0 done, 1 verify found problems, 2 there is no store or it cannot be read, 64 usage \
      error, 70 internal error, 75 a service has the store.
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

  @Option(help: "text or json.")
  var format: ListFormat = .text

  func run() throws {
    let listing = try StoreAccess.toldAtOnce { () throws(StoreError) in
      try StoreListing(of: store.folder)
    }
    switch format {
    case .json: try StoreDocument(listing).write()
    case .text:
      for artwork in listing.artworks { print(artwork) }
      let (count, leases) = (listing.artworks.count, listing.leases.count)
      Terminal.emit {
        "\(count) \(count == 1 ? "artwork" : "artworks"), \(ByteCount(listing.bytes)) on disk, "
          + "\(leases) \(leases == 1 ? "lease" : "leases")\n"
      }
    }
  }

  private func print(_ artwork: StoredArtwork) {
    let source =
      switch artwork.source {
      case .file(let path, _): path
      case .url(let url): url
      }
    let size = artwork.bytes.map { "\(ByteCount($0))" } ?? "not here"
    let leased = artwork.leases > 0 ? "  leased" : ""
    Terminal.emit {
      "\(artwork.reference.artworkID.text.printable)  \(artwork.reference.key.rawValue)  \(size)\(leased)\n"
        + "  from \(source.printable)\n"
    }
  }
}

struct CacheVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read every file in the store and compare it with its digest.")

  @OptionGroup var store: StoreOptions

  func run() throws {
    let found = try StoreAccess.toldAtOnce { () throws(StoreError) in
      try StoreVerification(of: store.folder)
    }
    for problem in found.problems {
      Terminal.emit { "\(problem.path.string.printable): \(problem.message)\n  \(problem.help)\n" }
    }
    let (videos, count) = (found.videos, found.problems.count)
    Terminal.emit {
      "\(videos) \(videos == 1 ? "video" : "videos") read, "
        + (count == 0
          ? "all as they should be\n" : "\(count) \(count == 1 ? "problem" : "problems")\n")
    }
    if count > 0 { throw ExitStatus.findings.code }
  }
}

struct CacheCollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gc",
    abstract: "Mend the store, release leases whose owners have gone, and come down to a budget.",
    discussion: "Reads every file, as verify does, and removes what is not as it should be.")

  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      "What may stay: 500MiB, 2GiB; the default is 2GiB. What is leased stays anyway.",
      valueName: "bytes"),
    transform: { try StoreAccess.bytes($0) })
  var budget: Int64 = 2 << 30

  func run() throws {
    let folder = store.folder
    try Blocking.run {
      try await StoreAccess.told {
        let (center, before) = try await StoreAccess.center(folder)
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
}

struct CacheClearCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Forget every artwork that no session holds.",
    discussion: "What a session publishes stays: end it first.")

  @OptionGroup var store: StoreOptions

  func run() throws {
    let folder = store.folder
    try Blocking.run {
      try await StoreAccess.told {
        let (center, _) = try await StoreAccess.center(folder)
        var (gone, kept) = (0, 0)
        for artwork in center.store.artworks() {
          do throws(StoreError) {
            if try await center.store.remove(artwork.reference) { gone += 1 }
          } catch {
            guard error.code == .inUse else { throw error }
            kept += 1
          }
        }
        let stay = kept == 0 ? "" : "; \(kept) stay, since sessions hold them (artworkd leases)"
        Terminal.emit { "\(gone) artworks forgotten\(stay)\n" }
      }
    }
  }
}
