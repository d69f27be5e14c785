import ArtworkModel
import ArtworkPipeline
internal import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The state that survives a restart: sessions, primaries and owners.
struct SessionRecord: Codable, Equatable {
  var format = 1
  var board = SessionBoard()
  var owners: [Owner] = []
  /// Sessions whose record was lost. Their leases stay until they are published or ended, or their owners have ended.
  /// Empty if missing.
  var lost: [SessionReference]?

  struct Owner: Codable, Equatable {
    var session: SessionReference
    /// Named when the session was published.
    var process: SessionOwner.Process?
    /// The processes at the other ends of the connections that hold the session, as far as known.
    var holders: [SessionOwner.Process] = []
  }
}

/// `sessions.json` in the store's folder; always replaced as a whole.
struct SessionFile {
  let layout: StoreLayout

  private var path: FilePath { layout.root.appending("sessions.json") }

  /// - Returns: `nil` if the file is missing or unreadable: then all leases must stay. An unreadable file is renamed to
  ///   `sessions.json.damaged`.
  func read() -> SessionRecord? {
    let bytes = Candidate(path: path).contents(atMost: 1 << 26)
    let record = bytes.flatMap { StoreFormat.document(SessionRecord.self, $0) }
    if let record, record.format == 1 { return record }
    if path.exists { try? DurableFiles.rename(path, to: path.suffixed(".damaged")) }
    return nil
  }

  func write(_ record: SessionRecord) throws(StoreError) {
    let bytes = try StoreFormat.bytes(record)
    do throws(Errno) {
      try DurableFiles.replace(path, bytes, spare: layout.spare())
    } catch {
      throw StoreError(error, "write the sessions")
    }
  }
}
