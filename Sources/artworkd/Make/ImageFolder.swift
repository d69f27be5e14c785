import ArgumentParser
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

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
