import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import Logging
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

enum ListFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

/// The store without a service.
enum StoreAccess {
  /// Opens one that is there, with everything that a crash left mended and dead owners' leases released. Nothing is
  /// looked at.
  ///
  /// - Returns: also how many leases there were.
  static func center(
    _ folder: FilePath
  ) async throws(StoreError) -> (center: NowPlayingCenter, leases: Int) {
    var logger = Logger(label: "artworkd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .warning
    var options = AssetStore.Options(folder: folder)
    options.mustExist = true
    let store = try AssetStore.open(options, inspector: Inspector(), logger: logger)
    let leases = store.leases().count
    return (try await NowPlayingCenter(store: store), leases)
  }

  /// Says what went wrong, with the exit code for it.
  static func toldAtOnce<R>(_ body: () throws(StoreError) -> R) throws -> R {
    do throws(StoreError) { return try body() } catch { throw say(error) }
  }

  static func told<R: Sendable>(_ body: () async throws -> R) async throws -> R {
    do { return try await body() } catch let error as StoreError { throw say(error) }
  }

  private static func say(_ error: StoreError) -> ExitCode {
    Terminal.say("artworkd: \(error.message.printable)\n")
    switch error.code {
    case .locked:
      Terminal.say("artworkd: a service evicts and releases by itself; stop it for the rest\n")
      return ExitStatus.alreadyRunning.code
    case .noSpace, .damaged, .failed: return ExitStatus.unreadableInput.code
    default: return ExitStatus.internalError.code
    }
  }

  static func bytes(_ text: String) throws -> Int64 {
    guard let bytes = LimitSetting.bytes(text) else {
      throw ValidationError("'\(text)' is no size: write 500MiB or 2GiB")
    }
    return bytes
  }
}

/// Bytes as people read them.
struct ByteCount: CustomStringConvertible {
  let bytes: Int64
  init(_ bytes: Int64) { self.bytes = bytes }

  var description: String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    var (amount, unit) = (bytes, 0)
    var rest: Int64 = 0
    while amount >= 1024, unit + 1 < units.count {
      rest = amount % 1024 * 10 / 1024
      (amount, unit) = (amount / 1024, unit + 1)
    }
    return unit == 0 || amount >= 100
      ? "\(amount) \(units[unit])" : "\(amount).\(rest) \(units[unit])"
  }
}

/// What `--format json` prints: one document of what the store holds.
struct StoreDocument: Encodable {
  struct Artwork: Encodable {
    var artworkID: String
    var key: ArtworkKey
    var status: ArtworkStatus
    var source: ArtworkSource
    var digest: String?
    var bytes: Int64?
    var leases: Int
  }

  struct Holding: Encodable {
    var sessionID: String
    var artworkID: String
    var key: ArtworkKey
    var digest: String
    var bytes: Int64
    var path: String
    var opens: Bool
    var process: Int32?
  }

  var schemaVersion = 1
  var bytes: Int64
  var artworks: [Artwork]
  var leases: [Holding]

  init(_ listing: StoreListing) {
    bytes = listing.bytes
    artworks = listing.artworks.map {
      Artwork(
        artworkID: $0.reference.artworkID.text, key: $0.reference.key, status: $0.status,
        source: $0.source, digest: $0.digest, bytes: $0.bytes, leases: $0.leases)
    }
    leases = listing.leases.map {
      Holding(
        sessionID: $0.session.text, artworkID: $0.reference.artworkID.text, key: $0.reference.key,
        digest: $0.digest, bytes: $0.bytes, path: $0.file.string, opens: $0.opens,
        process: $0.owner.process?.identifier)
    }
  }

  func write() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try Terminal.write(Array(try encoder.encode(self)) + [UInt8(ascii: "\n")])
  }
}
