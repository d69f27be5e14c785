import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import FoundationEssentials
import SystemPackage

extension WebFetcher {
  /// Downloads a file into $TMPDIR, or else /tmp. Blocks the thread.
  func fetchedFile(
    _ url: String, byteLimit: Int64
  ) throws(InspectionError) -> FetchedFile {
    let folder =
      ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : FilePath($0) }
      ?? "/tmp"
    let file: FetchedFile
    do throws(Errno) {
      file = try FetchedFile(in: folder)
    } catch {
      throw InspectionError(
        .notFetched, "cannot create a file in \(folder): \(error.description.lowercased())")
    }
    do {
      try Blocking.run {
        try await fetch(url, into: file.descriptor, byteLimit: byteLimit)
      }
    } catch {
      throw InspectionError(.notFetched, (error as? StoreError)?.message ?? "\(error)")
    }
    return file
  }
}
