import ArgumentParser
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

/// The folder of the store.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of the store; the default is artworkd in $XDG_STATE_HOME or ~/.local/state.",
      valueName: "dir"))
  var store: PathArgument?

  /// The given folder, or the default one. It is not in ~/.cache, which cleaners empty: leased videos must not disappear.
  var folder: FilePath {
    if let path = store?.path { return path.absolute(in: .currentFolder) }
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      return FilePath(folder).appending("artworkd")
    }
    return FilePath(environment["HOME"] ?? "/").appending(".local/state/artworkd")
  }
}
