extension TemporaryFolder {
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
  }

  /// A text, and the folders above it.
  func write(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url(name))
  }

  /// A symbolic link.
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: url(name).path, withDestinationPath: target)
  }

  /// What ffmpeg prints, run in this folder; it has to succeed.
  @discardableResult func ffmpeg(_ words: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> [UInt8] {
    let made = try TestSupport.run("ffmpeg", ["-v", "error", "-y"] + words, in: root)
    try #require(made.status == 0, "\(made.error)", sourceLocation: sourceLocation)
    return Array(made.output)
  }

  /// The values that ffprobe prints, run in this folder, line by line.
  func ffprobe(_ name: String, _ entries: String, _ words: [String] = []) throws -> [String] {
    let told = try TestSupport.run(
      "ffprobe", ["-v", "error"] + words + ["-show_entries", entries, "-of", "csv=p=0", name], in: root)
    return String(decoding: told.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension Fixture { var bytes: [UInt8] { get throws { [UInt8](try Data(contentsOf: url)) } } }

/// The error with which `work` is refused; `nil` if it is not.
func refusal<Made>(sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Made) -> InspectionError? {
  do { _ = try work() } catch let error as InspectionError { return error } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}

extension PixelImage {
  /// A picture of what `pixel` gives for a column and a row.
  init(_ width: Int, _ height: Int, _ channels: Channels = .rgb, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
    self.init(
      size: PixelSize(width: width, height: height), channels: channels,
      bytes: (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } })
  }
}
