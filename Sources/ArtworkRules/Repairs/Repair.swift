/// What mends one video for one rule: a command for a POSIX shell, still without the file's name.
///
/// A repair keeps everything else as it is, so that the result breaks no rule that the video did not break: only the
/// video track, its colours, its rate and its shape, in a container and codec that the profile takes. The commands
/// are for ffmpeg 5.1 and later. Each kind is carried out by a test on a video that breaks the rule.
package struct Repair: Equatable {
  private enum Program: Equatable {
    case ffmpeg(before: [String], options: [String], extension: String)
    case artworkd([String])
    /// Writes a video of this size beside the file.
    case importing(PixelSize, MovieContainer)
    /// Writes the preview of this name beside the video, and removes an other one.
    case preview(String, removing: String?)
  }

  private var program: Program
  /// How `artworkd repair` does the same by itself; `nil` where it cannot.
  private(set) var kind: RepairKind?
  /// What encoding changes, for `unsafe`.
  private(set) var edit: ClipEdit?

  /// A command of this tool on the video.
  package static func artworkd(_ words: [String]) -> Repair { Repair(program: .artworkd(words)) }

  /// An `artworkd loop` command; `artworkd repair` makes the clip the best loop.
  static func loop(
    _ facts: MediaFacts, for profile: Profile, _ words: [String] = [],
    _ search: ClipEdit.LoopSearch = .init()
  ) -> Repair {
    let isOurs = facts.canBeEncoded(for: profile)
    return Repair(
      program: .artworkd(["loop"] + words), kind: isOurs ? .unsafe : nil,
      edit: isOurs ? ClipEdit(loop: search) : nil)
  }

  /// An `artworkd import` command that writes `<name>.fixed.<extension>` beside the animation.
  static func importing(size: PixelSize, into container: MovieContainer) -> Repair {
    Repair(program: .importing(size, container))
  }

  /// Writes a preview.
  ///
  /// - Parameters:
  ///   - name: in the folder of the video.
  ///   - other: what lies beside it in place of the new one.
  package static func preview(_ name: String, removing other: String?) -> Repair {
    Repair(program: .preview(name, removing: other))
  }

  /// An ffmpeg command that writes `<name>.fixed.<extension>` beside the video.
  package static func ffmpeg(
    before: [String] = [], _ options: [String], extension: String, kind: RepairKind? = nil,
    edit: ClipEdit? = nil
  ) -> Repair {
    Repair(
      program: .ffmpeg(before: before, options: options, extension: `extension`), kind: kind,
      edit: edit)
  }

  /// The command for the video at `path`; `nil` for a name that is not UTF-8, which a command cannot say.
  package func command(for path: FilePath) -> String? {
    guard path.percentEncodedUnlessText == nil else { return nil }
    func beside(_ name: String) -> String {
      ShellWord.quoted(path.removingLastComponent().appending(name))
    }
    func fixed(_ suffix: String) -> FilePath {
      var output = path
      output.extension = nil
      return output.suffixed(".fixed.\(suffix)")
    }
    switch program {
    case .ffmpeg(let before, let options, let suffix):
      return FFmpegCommand(before, input: path, options, output: fixed(suffix)).text
    case .importing(let size, let container):
      return "artworkd import \(ShellWord.quoted(path)) --size \(size) -o "
        + ShellWord.quoted(fixed(container.rawValue))
    case .artworkd(let words):
      return ((["artworkd"] + words).map(ShellWord.quoted) + [ShellWord.quoted(path)])
        .joined(separator: " ")
    case .preview(let name, let other):
      return "artworkd preview \(ShellWord.quoted(path)) -o \(beside(name))"
        + (other.map { " && rm \(beside($0))" } ?? "")
    }
  }
}
