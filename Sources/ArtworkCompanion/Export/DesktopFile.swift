import ArtworkPipeline
import FoundationEssentials
import SystemPackage

/// The properties of an application in its desktop file (Desktop Entry Specification).
struct DesktopFile: Sendable, Equatable {
  /// The name of the file without its ending, by which shells find the application's icon.
  var entry: String
  /// The display name, in no particular language.
  var name: String?
}

extension DesktopFile {
  /// - Parameters:
  ///   - application: the identifier of an application; the result is `nil` if it is not a valid file name.
  ///   - environment: `XDG_DATA_HOME` and `XDG_DATA_DIRS` name the folders (XDG Base Directory Specification).
  init?(of application: String, environment: [String: String]) {
    guard !application.isEmpty, !application.hasPrefix("."), application.utf8.count <= 200,
      application.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 < 0x7f })
    else { return nil }
    for folder in Self.folders(environment) {
      let path = "\(folder)/applications/\(application).desktop"
      guard let bytes = Candidate(path: FilePath(path)).contents(atMost: 1 << 18) else { continue }
      entry = application
      name = Self.name(in: String(decoding: bytes, as: UTF8.self))
      return
    }
    return nil
  }

  private static func folders(_ environment: [String: String]) -> [String] {
    func folders(_ name: String) -> [String] {
      (environment[name] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }
    let home = environment["HOME"].map { ["\($0)/.local/share"] } ?? []
    let (own, shared) = (folders("XDG_DATA_HOME"), folders("XDG_DATA_DIRS"))
    return (own.isEmpty ? home : own)
      + (shared.isEmpty ? ["/usr/local/share", "/usr/share"] : shared)
  }

  /// `Name` of the group `[Desktop Entry]`; text longer than a line of a shell does not count.
  private static func name(in text: String) -> String? {
    var isInEntry = false
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") { isInEntry = line == "[Desktop Entry]" }
      let parts = line.split(separator: "=", maxSplits: 1)
      guard isInEntry, parts.count == 2, parts[0].trimmed == "Name" else { continue }
      let name = parts[1].trimmed
      return (1...256).contains(name.unicodeScalars.count) ? name : nil
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(start[...$0]) } ?? ""
  }
}
