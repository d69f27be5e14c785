/// A clip's path, and the names of what is made from it in the folder where we are.
public struct LoopFiles: Sendable {
  public var clip: FilePath

  public init(clip: FilePath) { self.clip = clip }

  /// `<name>.<suffix>`; the name's bytes are kept, since they need not be text.
  package func named(_ suffix: String) -> FilePath {
    var name = FilePath(root: nil, clip.lastComponent.map { [$0] } ?? ["clip"])
    name.extension = nil
    return FilePath(bytes: name.pathBytes + Array(".\(suffix)".utf8))
  }

  public var strip: FilePath { named("loop-strip.png") }
  public var animation: FilePath { named("loop.png") }
  public var seam: FilePath { named("seam.png") }
  package func encoded(_ number: Int) -> FilePath { named("loop\(number).mp4") }
  var crossFaded: FilePath { named("loop-fade.mp4") }

  /// In the clip's own container, which holds its codec, whatever the clip is named.
  package func copied(_ number: Int, container: String?) -> FilePath {
    let own = clip.extension
    let fitting =
      switch container {
      case "mp4": ["mp4", "m4v", "mov"]
      case "mov": ["mov"]
      case "matroska": ["mkv"]
      case "webm": ["webm", "mkv"]
      default: [own ?? "mp4"]
      }
    let name = fitting.first { $0 == own?.lowercased() } ?? fitting[0]
    return named("loop\(number)-copy.\(name)")
  }
}
