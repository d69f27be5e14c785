import ArgumentParser
import ArtworkPipeline
import FoundationEssentials
import Logging

/// Whether a command uses the measurements of earlier runs.
struct CacheOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Neither read nor write the cache of measurements ($ARTWORKD_CACHE_DIR or ~/.cache/artworkd)."
    ))
  var noCache = false

  /// `nil` if measurements should not or cannot be cached.
  func open() -> InspectionCache? {
    if noCache { return nil }
    var logger = Logger(label: "artworkd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .warning
    return InspectionCache.folder(environment: ProcessInfo.processInfo.environment).flatMap {
      .open(in: $0, logger: logger)
    }
  }
}
