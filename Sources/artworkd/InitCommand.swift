import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import ArtworkStore
import SystemPackage

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write an artwork.yml with every key, commented out.",
    discussion: """
      Never overwrites a file. Exit codes: 0 written, 64 there is one already, \
      70 it cannot be written.
      """)

  @Argument(help: "The folder that it is for; the default is this one.")
  var folder: PathArgument?

  @Flag(help: "Print the JSON Schema of artwork.yml for editors instead.")
  var schema = false

  func run() throws {
    if schema {
      try Terminal.write(Array(ConfigurationSchema.document.utf8))
      return
    }
    let folder = folder?.path ?? "."
    do {
      // Under its other name, too.
      if Configuration.isThere(in: folder) { throw Errno.fileExists }
      let file = folder.appending(Configuration.fileNames[0])
      // Not through a temporary file: what somebody else writes meanwhile stays.
      let descriptor = try FileDescriptor.open(
        file, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      _ = try descriptor.closeAfter {
        try descriptor.writeAll(Array(ConfigurationTemplate.document.utf8))
      }
      Terminal.say("artworkd: wrote \(file.string.printable)\n")
    } catch Errno.fileExists {
      throw ValidationError(
        "\(folder.string) has a configuration already: edit it, or remove it first.")
    } catch let error as Errno {
      Terminal.say(
        "artworkd: cannot write a configuration into \(folder.string.printable): "
          + "\(error.description.lowercased())\n")
      throw ExitStatus.internalError.code
    }
  }
}
