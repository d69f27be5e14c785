/// Names under which readers look for the files of a bundle.
public enum BundleNames: String, CaseIterable, Sendable {
  /// Those of music players: `cover.mp4`, `cover_3x4.mp4` and the files beside them.
  case players
  /// Names of Jellyfin's plugin Animated Music.
  case jellyfin
  /// Names of Navidrome, which sends an animated picture as it is, and no video.
  case navidrome

  /// The name of a file of a bundle there; `nil` if nothing there reads it.
  package func name(of file: String) -> String? {
    switch (self, file) {
    case (.players, _): file
    case (.jellyfin, FolderNames.video(.square)): "cover-animated.mp4"
    case (.jellyfin, FolderNames.video(.tall)): "vertical-background.mp4"
    case (.navidrome, "cover.webp") where FileFormat.webp.isAvailable: file
    case (.navidrome, "cover.gif") where !FileFormat.webp.isAvailable: file
    default: nil
    }
  }
}
