import ArgumentParser
import ArtworkLottie
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

/// The animation that a command renders.
struct AnimationSource: ParsableArguments {
  @Option(help: ArgumentHelp("Use this animation of an archive.", valueName: "name"))
  var animation: String?

  @Option(
    help: ArgumentHelp(
      "Load the animation's images from this folder: PNG and JPEG, at most 48 MiB in all.",
      valueName: "folder"),
    transform: ImageFolder.init)
  var images: ImageFolder?

  var edits: AnimationEdits {
    var edits = AnimationEdits()
    edits.animation = animation
    edits.images = images?.files ?? [:]
    return edits
  }
}

/// Changes of a Lottie animation before it is rendered, and the part to render.
struct AnimationOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a property to a number, x,y or #rrggbb. * stands for one name, ** for any number of "
        + "names. Repeatable.",
      valueName: "KEYPATH:property=value"),
    transform: SettingArgument.init)
  var settings: [SettingArgument] = []

  @Option(
    help: ArgumentHelp("Hide layers or shapes. Repeatable.", valueName: "keypath"))
  var hide: [String] = []

  @Option(
    help: ArgumentHelp("Show layers or shapes that are hidden. Repeatable.", valueName: "keypath"))
  var show: [String] = []

  @Option(help: ArgumentHelp("Draw only the frames of this marker.", valueName: "name"))
  var marker: String?

  @OptionGroup
  var source: AnimationSource

  var edits: AnimationEdits {
    var edits = source.edits
    edits.marker = marker
    edits.values = settings.map(\.setting)
    edits.switches =
      hide.map { AnimationEdits.Switch(keypath: $0, isShown: false) }
      + show.map { AnimationEdits.Switch(keypath: $0, isShown: true) }
    return edits
  }
}

/// `KEYPATH:property=value`.
struct SettingArgument: Sendable {
  let setting: AnimationEdits.Setting

  /// - Throws: `ValidationError` that describes the expected form.
  init(_ argument: String) throws {
    guard let equals = argument.lastIndex(of: "="),
      let keypath = KeypathArgument(argument: String(argument[..<equals]))
    else {
      throw ValidationError(
        "--set takes KEYPATH:property=value, for example '**.Fill 1:color=#ff3300'.")
    }
    setting = AnimationEdits.Setting(
      keypath: keypath.keypath.description,
      value: String(argument[argument.index(after: equals)...]))
  }
}

/// `--images`: the PNG and JPEG files in a folder. A name in an animation never becomes a path: names are looked up
/// among these.
struct ImageFolder: Sendable {
  /// Files in base64, by their names.
  let files: [String: String]

  private static let mostBytes = 48 << 20

  /// - Throws: `ValidationError` for a folder that cannot be read, or holds too much.
  init(_ argument: String) throws {
    let path = RawArguments.path(argument)
    let names: [FilePath.Component]
    do throws(OpenError) {
      names = try Self.pictures(in: path)
    } catch {
      throw ValidationError("--images takes a folder; \(argument) cannot be read.")
    }
    var files: [String: String] = [:]
    var left = Self.mostBytes
    for name in names {
      let file = Candidate(path: path.appending(name), folder: path, previewStem: FilePath())
      guard let bytes = file.contents(atMost: left) else {
        throw ValidationError(
          "\(name.string) in \(argument) cannot be read, or the pictures have more than 48 MiB.")
      }
      left -= bytes.count
      files[name.string] = Data(bytes).base64EncodedString()
    }
    self.files = files
  }

  private static func pictures(in path: FilePath) throws(OpenError) -> [FilePath.Component] {
    let folder: Folder
    do throws(Errno) {
      folder = try Folder(opening: path)
    } catch {
      throw .system(error)
    }
    return try folder.entries(of: FilePath()).filter { entry in
      entry.kind != .folder
        && ["png", "jpg", "jpeg"].contains(entry.name.extension?.lowercased() ?? "")
    }.map(\.name)
  }
}
