@testable import ArtworkMedia
@testable import ArtworkPipeline

@Suite struct ChangedFileTests {
  enum Change: String, CaseIterable, Sendable {
    case append, truncate, rewrite, spoil

    func apply(to path: FilePath) throws {
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path.string))
      defer { try? handle.close() }
      switch self {
      case .append:
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
      case .truncate: try handle.truncate(atOffset: 2000)
      case .rewrite:
        // The same bytes again.
        let bytes = try handle.readToEnd() ?? Data()
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: bytes)
      case .spoil:
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(repeating: 0xff, count: 4096))
      }
    }

    var words: String {
      switch self {
      case .append: "it grew from 7117 to 7118 bytes"
      case .truncate: "it shrank from 7117 to 2000 bytes"
      case .rewrite, .spoil: "it was written to"
      }
    }
  }

  /// Inspects a copy that `change` happens to before read number `number`; returns how many reads there
  /// were.
  static func inspect(_ change: Change?, before number: Int) throws -> (error: InspectionError?, reads: Int) {
    let folder = try TemporaryFolder()
    let path = folder.path("copy.mp4")
    try folder.copy(.named("good-1x1.mp4"), to: "copy.mp4")
    let input = try InputFile.open(path)
    // The clock of a file's times may tick only every four milliseconds.
    usleep(10_000)
    var reads = 0
    input.onRead = {
      if reads == number { #expect(throws: Never.self) { try change?.apply(to: path) } }
      reads += 1
    }
    do throws(InspectionError) {
      _ = try input.whileUnchanged { () throws(InspectionError) in
        try Inspector().examine(input, InspectionRequest(preview: .original))
      }
      return (nil, reads)
    } catch { return (error, reads) }
  }

  @Test(arguments: Change.allCases)
  func `a change at any time is an error that names what changed`(change: Change) throws {
    let (error, reads) = try Self.inspect(nil, before: 0)
    #expect(error == nil && reads > 3)
    for number in 0..<reads {
      let error = try Self.inspect(change, before: number).error
      #expect(error?.code == .changedWhileReading, "before read \(number)")
      #expect(error?.message.hasSuffix(change.words) == true)
    }
  }

  @Test func `a new hard link and another reader change nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.copy(.named("good-1x1.mp4"), to: "a")
    let input = try InputFile.open(folder.path("a"))
    try FileManager.default.linkItem(at: folder.url("a"), to: folder.url("b"))
    #expect(try Data(contentsOf: folder.url("b")).count == 7117)
    #expect(input.change == nil)
  }
}
