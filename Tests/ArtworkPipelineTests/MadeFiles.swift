extension TemporaryFolder {
  /// The values that ffprobe prints, run in this folder, line by line.
  func ffprobe(_ name: String, _ entries: String, _ words: [String] = []) throws -> [String] {
    try run("ffprobe -v error", words + ["-show_entries", entries, "-of", "csv=p=0", name]).lines
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
