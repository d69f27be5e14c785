public import Foundation

/// A hostile file, and the expected result of an inspection.
public struct HostileFile: Sendable, CustomStringConvertible {
  /// The row of the list of threats in docs/sandbox.md, such as `A1`.
  public var row: String
  public var name: String
  /// The fault and the expected result.
  public var reason: String
  public var label: Label
  let content: @Sendable (_ folder: String) -> Bytes

  public var description: String { name }

  /// The expected result.
  public struct Label: Sendable {
    /// Acceptable error codes.
    public var codes: Set<String> = []
    /// Whether it may be inspected instead, with what follows.
    public var mayBeInspected = false
    /// Rules that must be broken.
    public var findings: Set<String> = []
    /// Numbers among the facts.
    public var facts: [String: Double] = [:]

    static func error(_ codes: String...) -> Label { Label(codes: Set(codes)) }

    static func inspected(_ findings: String..., facts: [String: Double] = [:]) -> Label {
      Label(mayBeInspected: true, findings: Set(findings), facts: facts)
    }

    func or(_ code: String) -> Label {
      var label = self
      label.codes.insert(code)
      return label
    }
  }

  init(
    _ row: String, _ name: String, _ label: Label, _ reason: String, _ content: @escaping @Sendable (_ folder: String) -> Bytes
  ) {
    (self.row, self.label, self.reason, self.content) = (row, label, reason, content)
    self.name = row.lowercased() + "-" + name
  }

  /// A file with the same bytes wherever it is.
  init(_ row: String, _ name: String, _ label: Label, _ reason: String, _ content: @autoclosure @escaping @Sendable () -> Bytes)
  { self.init(row, name, label, reason) { _ in content() } }

  /// The bytes of the file.
  ///
  /// - Parameter folder: where it will be. References point to the canary in its folder `canary`.
  public func data(in folder: URL) -> Data { Data(content(folder.path)) }

  public static let all: [HostileFile] =
    Playlists.files + ExternalReferences.files + OversizedPictures.files + ChangingPictures.files + SampleTables.files
    + Durations.files + MissingContent.files + Numbers.files + Floods.files + Codecs.files + Texts.files

  public static func named(_ name: String) -> HostileFile {
    guard let found = all.first(where: { $0.name == name }) else { fatalError("there is no hostile file \(name)") }
    return found
  }

  /// Writes all of them into `folder`, and the canary.
  public static func write(to folder: URL) throws {
    for file in all { try file.data(in: folder).write(to: folder.appendingPathComponent(file.name)) }
    try Canary.write(to: folder)
  }
}

/// A clip of one colour that nothing else has, for others to point at. Its colour in a preview means
/// that it was opened through another file.
public enum Canary {
  public static let path = "canary/canary.mov"
  public static let color: [UInt8] = [250, 17, 133]

  static let bytes: Bytes = {
    let picture = PNGPicture.solid(width: 64, height: 64, red: color[0], green: color[1], blue: color[2])
    let entry = MovieBuilder.visualEntry("png ", width: 64, height: 64)
    var movie = MovieBuilder(entry: entry, samples: Array(repeating: picture, count: 12), width: 64, height: 64)
    movie.brand = "qt  "
    return movie.bytes()
  }()

  public static func write(to folder: URL) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }
}
