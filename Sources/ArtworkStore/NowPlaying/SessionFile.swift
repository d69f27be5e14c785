import ArtworkModel
import ArtworkPipeline
internal import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a restart must not forget: the sessions, which is primary, and whose they are.
package struct SessionRecord: Codable, Equatable {
  var format = 1
  var board = SessionBoard()
  var owners: [Owner] = []
  /// Sessions that are not on the board since the record of them was lost; their leases stay until they are published
  /// or ended, or their owners have gone. Empty where it is missing.
  var lost: [SessionID]?

  struct Owner: Codable, Equatable {
    var session: SessionID
    /// Named when it was published.
    var process: SessionOwner.Process?
    /// At the other ends of connections that hold the session, where those are known.
    var holders: [SessionOwner.Process] = []
  }
}

/// `sessions.json` in the store's folder, replaced as a whole.
package struct SessionFile {
  let layout: StoreLayout

  private var path: FilePath { layout.root.appending("sessions.json") }

  /// `nil` where there is none, or none that can be understood: then nobody knows which leases are still wanted. One that
  /// cannot be understood is set aside as `sessions.json.damaged`.
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
      throw StoreError(error, "keep the sessions")
    }
  }
}
