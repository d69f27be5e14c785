import ArgumentParser
import ArtworkPipeline
import SystemPackage

struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Write the first displayed frame of a video as a PNG.",
    discussion: """
      The picture is upright, has square pixels and is tagged sRGB. High dynamic range is \
      tone-mapped, transparency kept. The path of the PNG is printed.
      """)

  @Argument(help: "The video.")
  var file: PathArgument

  @Option(name: .shortAndLong, help: "Where to write; the default is <name>.png in this folder.")
  var output: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Fit the picture inside this many pixels, keeping its aspect; each side 1 to 16384.",
      valueName: "WIDTHxHEIGHT"))
  var size: SizeArgument?

  func run() throws {
    let interrupt = Interrupt {}
    try withExtendedLifetime(interrupt) {
      let file = file.path
      let target = output?.path ?? FilePath("\(file.stem ?? "preview").png")
      do throws(InspectionError) {
        let (_, image) = try Inspector().inspect(file, preview: size.map { .fitted($0.size) } ?? .original)
        guard let image else { throw InspectionError(.noFrames, "no frame was decoded") }
        let bytes = try PNGEncoder.encode(image)
        do throws(Errno) {
          try AtomicFile.write(bytes, to: target)
        } catch {
          throw InspectionError(
            .previewNotWritten, "cannot write \(target): \(error.description.lowercased())")
        }
      } catch {
        Terminal.say("artworkd: \(file.string.printable): \(error.description.printable)\n  → \(error.help)\n")
        throw ExitStatus.unreadableInput.code
      }
      do throws(Errno) {
        try Terminal.write("\(target)\n")
      } catch {
        throw ExitStatus.internalError.code
      }
    }
  }
}
