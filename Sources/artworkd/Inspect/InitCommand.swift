import ArgumentParser
import ArtworkPipeline
import SystemPackage

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write an artwork.yml with every key and its default, commented out.",
    discussion: """
      Never overwrites a file. Exit codes: 0 written, 64 the folder already has one, or is a file, \
      70 the file could not be written.
      """)

  @Argument(help: "The folder to write it to; by default the current folder.")
  var folder: PathArgument?

  @Flag(help: "Print the JSON Schema of artwork.yml instead, for editors.")
  var schema = false

  func run() throws {
    if schema {
      try Terminal.write(Array(ConfigurationSchema.document.utf8))
      return
    }
    let folder = folder?.path ?? "."
    do {
      // Checks its other name, too.
      if Configuration.isThere(in: folder) { throw Errno.fileExists }
      let file = folder.appending(Configuration.fileNames[0])
      // Without a temporary file, so that a file created meanwhile is not replaced.
      let descriptor = try FileDescriptor.open(
        file, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      _ = try descriptor.closeAfter {
        try descriptor.writeAll(Array(ConfigurationTemplate.document.utf8))
      }
      Terminal.printError("artworkd: wrote \(file.string.printable)\n")
    } catch Errno.fileExists {
      throw ValidationError(
        "\(folder.string) already has a configuration: edit it, or remove it first.")
    } catch Errno.notDirectory {
      throw ValidationError("\(folder.string) is not a folder.")
    } catch let error as Errno {
      Terminal.printError(
        "artworkd: cannot write a configuration to \(folder.string.printable): "
          + "\(error.description.lowercased())\n")
      throw ExitStatus.internalError.code
    }
  }
}
