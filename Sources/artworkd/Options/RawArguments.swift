import ArtworkPipeline
import Glibc
import SystemPackage

/// The arguments of the process without loss. ArgumentParser takes text, but a file name need not be
/// UTF-8: in such an argument, each byte beyond ASCII becomes a scalar from the end of the private use planes, until
/// it is a path again.
enum RawArguments {
  private static let base: UInt32 = 0x10_ff00

  /// All but the name of the program.
  static var all: [String] {
    unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
      .dropFirst().compactMap(unsafe \.self)
      .map { unsafe text(of: Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))) }
  }

  static func text(of bytes: [UInt8]) -> String {
    // Real text with such scalars is encoded as well, or it would be mistaken for bytes.
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: isByte)
    {
      return text
    }
    var text = ""
    text.unicodeScalars += bytes.compactMap {
      Unicode.Scalar($0 < 0x80 ? UInt32($0) : base + UInt32($0))
    }
    return text
  }

  static func path(_ text: String) -> FilePath {
    guard text.unicodeScalars.contains(where: isByte) else { return FilePath(text) }
    return FilePath(bytes: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  /// Returns text for people: such a byte becomes U+FFFD.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.unicodeScalars += text.unicodeScalars.map { isByte($0) ? "\u{fffd}" : $0 }
    return escaped
  }

  private static func isByte(_ scalar: Unicode.Scalar) -> Bool {
    (base + 0x80...base + 0xff).contains(scalar.value)
  }
}
