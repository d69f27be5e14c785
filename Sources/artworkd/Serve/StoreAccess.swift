import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import FoundationEssentials
import Logging
import SystemPackage

/// The store without a service.
enum StoreAccess {
  /// Opens an existing store, repairs what a crash left behind, and releases the leases of owners that have ended.
  ///
  /// - Returns: the center, and the number of leases before.
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

  /// Runs `body`; prints a store error and throws its exit code.
  static func reportingErrors<R>(_ body: () throws(StoreError) -> R) throws -> R {
    do throws(StoreError) { return try body() } catch { throw report(error) }
  }

  /// Changes an existing store; `body` gets the center, and the number of leases before.
  static func change(_ folder: FilePath, _ body: @escaping @Sendable (NowPlayingCenter, Int) async throws -> Void) throws {
    try Blocking.run {
      do {
        let (center, leases) = try await center(folder)
        try await body(center, leases)
      } catch let error as StoreError { throw report(error) }
    }
  }

  private static func report(_ error: StoreError) -> ExitCode {
    Terminal.printError("artworkd: \(error.message.printable)\n")
    switch error.code {
    case .locked:
      Terminal.printError(
        "artworkd: stop the service first; while it runs, it evicts videos automatically\n")
      return ExitStatus.alreadyRunning.code
    case .noSpace, .damaged, .failed: return ExitStatus.unreadableInput.code
    default: return ExitStatus.internalError.code
    }
  }

  static func bytes(_ text: String) throws -> Int64 {
    guard let bytes = Quantity.bytes(text) else {
      throw ValidationError("'\(text)' is not a size; use a form such as 500MiB or 2GiB")
    }
    return bytes
  }
}

/// Bytes with a unit, such as 1.5 MiB.
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

/// The store's contents for `--format json`.
struct StoreDocument: Encodable {
  var schemaVersion = 1
  var bytes: Int64
  var artworks: [ArtworkRecord]
  var covers: [ArtworkRecord]
  var leases: [LeaseRecord]

  init(_ listing: StoreListing) {
    bytes = listing.bytes
    (artworks, covers) = (listing.artworks, listing.covers)
    leases = listing.leases.map { lease in
      var record = lease.record
      (record.path, record.opens) = (lease.file.string, lease.opens)
      record.process = lease.owner.process?.identifier
      return record
    }
  }

  func write() throws {
    try Terminal.write(Array(try JSONReport.document(self).utf8))
  }
}
