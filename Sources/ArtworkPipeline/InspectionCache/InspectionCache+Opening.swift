package import Logging

extension InspectionCache {
  /// The folder of the cache: `$ARTWORKD_CACHE_DIR`, else `artworkd` in `$XDG_CACHE_HOME` or `~/.cache`. Relative
  /// paths are ignored (XDG Base Directory Specification). `nil` if none of the variables is set.
  package static func folder(environment: [String: String]) -> FilePath? {
    func folder(_ name: String) -> FilePath? {
      environment[name].map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
    }
    return folder("ARTWORKD_CACHE_DIR")
      ?? (folder("XDG_CACHE_HOME") ?? folder("HOME")?.appending(".cache"))?.appending("artworkd")
  }

  /// Opens `inspections.sqlite` in `folder`. Creates the file and its folders if necessary. A damaged file is renamed
  /// to `inspections.sqlite.damaged`.
  ///
  /// - Parameter logger: receives one line at the level `debug` if the cache cannot be used.
  /// - Returns: `nil` if the cache cannot be used.
  package static func open(in folder: FilePath, logger: Logger) -> InspectionCache? {
    let path = folder.appending("inspections.sqlite")
    func warn(_ message: Logger.Message, _ reason: any Error) {
      logger.debug(
        message, metadata: ["file": "\(path.percentEncoded)", "reason": "\(reason)"])
    }
    do {
      let (file, database) = try CacheFile.open(path) { warn("cache set aside", $0) }
      return InspectionCache(file: file, database: database, logger: logger)
    } catch {
      warn("cache not used", error)
      return nil
    }
  }
}
