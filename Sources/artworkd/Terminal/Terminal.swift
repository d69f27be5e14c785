import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import Glibc
import SystemPackage

/// Standard output and standard error.
enum Terminal {
  /// Replaces closed standard streams by ones that can neither be read nor written. Otherwise the first files and
  /// sockets would get their numbers, and the output.
  static func holdPlaces() {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 { _ = unsafe open("/", O_RDONLY) }
  }

  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Colours on terminals, unless `NO_COLOR` is set (https://no-color.org).
  static var outputStyle: TextStyle { style(isTerminal: outputIsTerminal) }
  static var errorStyle: TextStyle { style(isTerminal: errorIsTerminal) }

  /// Standard error is a terminal on which a line can be drawn over.
  static var canRedraw: Bool {
    errorIsTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  private static func style(isTerminal: Bool) -> TextStyle {
    let environment = ProcessInfo.processInfo.environment
    let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return isTerminal && !refuses && environment["TERM"] != "dumb" ? .colored : .plain
  }

  /// Writes the product to standard output.
  static func write(_ bytes: [UInt8]) throws(Errno) { try write(bytes, to: .standardOutput) }

  /// Writes the product; a closed pipe or a full disk ends the process.
  static func emit(_ text: () throws -> String) { emitBytes { Array(try text().utf8) } }

  /// Writes the product like ``emit(_:)``.
  static func emitBytes(_ bytes: () throws -> [UInt8]) {
    do {
      try write(try bytes())
    } catch {
      AtomicFile.abandonAll()
      if error as? Errno != .brokenPipe {
        printError("artworkd: cannot write the results: \(error)\n")
      }
      exitNow(.internalError)
    }
  }

  /// Writes a file; one that cannot be written ends the command.
  static func writing(_ file: FilePath, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      let reason = (error as? Errno)?.description.lowercased() ?? "\(error)"
      printError(InspectionError(.previewNotWritten, "cannot write it: \(reason)"), of: file)
      throw ExitStatus.internalError.code
    }
  }

  /// Columns of standard output if it is a terminal.
  static var outputWidth: Int? {
    var size = winsize()
    guard outputIsTerminal, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// Writes a message for people. A closed standard error is ignored.
  static func printError(_ text: String) { try? write(Array(text.utf8), to: .standardError) }

  /// Prints the error of a file.
  static func printError(_ error: InspectionError, of file: FilePath) {
    printError(
      "artworkd: \(file.string.printable): \(error.description.printable)\n  → \(error.help)\n")
  }

  private static func write(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) {
    do {
      _ = try file.writeAll(bytes)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}

extension Terminal {
  /// The languages of the environment, in the order of gettext: those of `LANGUAGE`, else of the first of `LC_ALL`,
  /// `LC_MESSAGES` and `LANG` that is set. None in the locales `C` and `POSIX`, even with `LANGUAGE`.
  static func languages(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> ReaderLanguages {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
    guard let locale = set.first(where: { !$0.isEmpty }).flatMap(language) else {
      return ReaderLanguages()
    }
    let listed = (environment["LANGUAGE"] ?? "").split(separator: ":")
      .compactMap { language(String($0)) }
    return ReaderLanguages(listed.isEmpty ? [locale] : listed)
  }

  /// The language tag of a locale such as `de_AT.UTF-8@euro`.
  private static func language(_ locale: String) -> LanguageTag? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    guard name != "C", name != "POSIX" else { return nil }
    return LanguageTag(String(name.map { $0 == "_" ? "-" : $0 }))
  }
}
