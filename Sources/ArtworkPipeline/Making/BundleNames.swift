/// Names under which readers look for the files of a bundle.
public enum BundleNames: String, CaseIterable, Sendable {
  /// Names of docs/sidecar.md.
  case sidecar
  /// Names of Jellyfin's plugin Animated Music.
  case jellyfin
  /// Names of Navidrome, which sends an animated picture as it is, and no video.
  case navidrome

  /// The name of a file of a bundle there; `nil` if nothing there reads it.
  package func name(of file: String) -> String? {
    switch (self, file) {
    case (.sidecar, _): file
    case (.jellyfin, FolderNames.sidecar(.square)): "cover-animated.mp4"
    case (.jellyfin, FolderNames.sidecar(.tall)): "vertical-background.mp4"
    case (.navidrome, "cover.webp") where PreviewFormat.webp.isAvailable: file
    case (.navidrome, "cover.gif") where !PreviewFormat.webp.isAvailable: file
    default: nil
    }
  }
}
