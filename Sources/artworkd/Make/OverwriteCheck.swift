import ArgumentParser
import ArtworkPipeline
import SystemPackage

/// Keeps the files that a command writes distinct from each other, and from those that it reads.
enum OverwriteCheck {
  /// A file that would be lost.
  struct Refusal: Error {
    var message: String
  }

  /// Refuses outputs that share a file, or that would replace an input.
  ///
  /// - Parameters:
  ///   - outputs: files to write, each replacing an existing one.
  ///   - inputs: called only if an output already exists.
  ///   - what: the kind of an output, as a noun.
  static func refuse(
    _ outputs: [FilePath], over inputs: @autoclosure () -> [FilePath], what: String = "report"
  ) throws(Refusal) {
    var names: [FileIdentity: FilePath] = [:]
    for output in outputs {
      guard let identity = FileIdentity(output) else { continue }
      if names.updateValue(output, forKey: identity) != nil {
        throw Refusal(message: "two \(what)s cannot share the file \(output.string)")
      }
    }
    guard outputs.contains(where: { FileState(of: $0) != nil }) else { return }
    for input in inputs() {
      guard let identity = FileIdentity(input), let output = names[identity] else { continue }
      throw Refusal(message: "refusing to write a \(what) over \(output.string)")
    }
  }

  /// Refuses outputs like ``refuse(_:over:what:)`` while options are validated.
  ///
  /// - Throws: `ValidationError` with a sentence.
  static func validate(
    _ outputs: [FilePath], over inputs: [FilePath] = [], what: String = "report"
  ) throws {
    do throws(Refusal) {
      try refuse(outputs, over: inputs, what: what)
    } catch {
      throw ValidationError(error.message.prefix(1).uppercased() + error.message.dropFirst() + ".")
    }
  }
}
