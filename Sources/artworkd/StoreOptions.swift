import ArgumentParser
import ArtworkPipeline
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the store lies.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where artwork is kept; the default is artworkd below $XDG_STATE_HOME or ~/.local/state.",
      valueName: "dir"))
  var store: PathArgument?

  /// Not below ~/.cache: what sessions lease must outlive whoever cleans that.
  var folder: FilePath {
    if let path = store?.path { return path.absolute(in: .currentFolder) }
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      return FilePath(folder).appending("artworkd")
    }
    return FilePath(environment["HOME"] ?? "/").appending(".local/state/artworkd")
  }
}
