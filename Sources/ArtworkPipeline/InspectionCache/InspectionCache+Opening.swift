public import Logging
public import SystemPackage

extension InspectionCache {
  /// Where inspections are kept: `$ARTWORKD_CACHE_DIR`, else `artworkd` in `$XDG_CACHE_HOME` or `~/.cache` (XDG Base
  /// Directory Specification, which has relative paths ignored). `nil` where none of them is set.
  public static func folder(environment: [String: String]) -> FilePath? {
    func folder(_ name: String) -> FilePath? {
      environment[name].map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
    }
    return folder("ARTWORKD_CACHE_DIR")
      ?? (folder("XDG_CACHE_HOME") ?? folder("HOME")?.appending(".cache"))?.appending("artworkd")
  }

  /// Opens `inspections.sqlite` in `folder`, or makes it, folders included. A damaged one is set aside as
  /// `inspections.sqlite.damaged`.
  ///
  /// - Parameter logger: is told in one line why there is none, at the level `debug`.
  /// - Returns: `nil` where it cannot be used.
  public static func open(in folder: FilePath, logger: Logger) -> InspectionCache? {
    let path = folder.appending("inspections.sqlite")
    func tell(_ message: Logger.Message, _ reason: any Error) {
      logger.debug(
        message, metadata: ["file": "\(path.percentEncoded)", "reason": "\(reason)"])
    }
    do {
      let (file, database) = try CacheFile.open(path) { tell("cache set aside", $0) }
      return InspectionCache(file: file, database: database, logger: logger)
    } catch {
      tell("cache not used", error)
      return nil
    }
  }
}
