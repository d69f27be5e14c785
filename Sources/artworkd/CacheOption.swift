import ArgumentParser
import ArtworkPipeline
import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Whether a command uses the measurements of earlier runs.
struct CacheOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Neither read nor write the cache of measurements ($ARTWORKD_CACHE_DIR, or else ~/.cache/artworkd)."
    ))
  var noCache = false
}

extension InspectionCache {
  /// The cache that all commands share; `nil` where it cannot be opened.
  static func openDefault(_ logger: Logger) -> InspectionCache? {
    folder(environment: ProcessInfo.processInfo.environment).flatMap {
      open(in: $0, logger: logger)
    }
  }
}
