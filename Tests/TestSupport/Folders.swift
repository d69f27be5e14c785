import Fixtures
import Foundation

/// Files of a test by their names, and programs that run beside them.
extension TemporaryFolder {
  /// Copies of fixtures: the names here, and those of the fixtures.
  package convenience init(_ files: KeyValuePairs<String, String>) throws {
    try self.init()
    for (name, fixture) in files { try copy(fixture, to: name) }
  }

  package func copy(_ fixture: String, to name: String) throws {
    try copy(Fixture.named(fixture), to: name)
  }

  /// A folder, and those above it.
  package func make(_ name: String) throws {
    try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
  }

  /// Writes a file, in folders that it makes.
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try FileManager.default.createDirectory(
      at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url(name))
  }

  package func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

  package func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

  package func text(_ name: String) throws -> String {
    try String(contentsOf: url(name), encoding: .utf8)
  }

  package func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: url(name).path)
  }

  package func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

  /// A symbolic link.
  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: url(name).path, withDestinationPath: target)
  }

  /// What a folder holds, in order; nothing if there is none.
  package func names(_ folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url(folder).path)) ?? []).sorted()
  }

  /// The files at any depth, by their paths below a folder.
  package func files(_ folder: String = "") throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: url(folder).path) {
      files[name] = try? Data(contentsOf: url(folder).appendingPathComponent(name))
    }
    return files
  }

  /// Runs the tool in this folder.
  ///
  /// - Parameters:
  ///   - line: arguments without spaces, with one space between two.
  ///   - more: the arguments after them.
  @discardableResult package func artworkd(
    _ line: String, _ more: [String] = [], environment: [String: String] = [:], input: String? = nil
  ) throws -> BuiltTool.Result {
    try artworkd(arguments(line) + more, environment: environment, input: input)
  }

  @discardableResult package func artworkd(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil
  ) throws -> BuiltTool.Result {
    try BuiltTool.run(arguments, in: root, environment: environment, input: input)
  }

  /// Runs another program here, which is the first word of the line.
  @discardableResult package func run(
    _ line: String, _ more: [String] = [], in subfolder: String = "",
    environment: [String: String] = [:], input: String? = nil
  ) throws -> BuiltTool.Result {
    try execute(line, more, in: url(subfolder), environment: environment, input: input)
  }

  /// Runs ffmpeg, which must succeed, and returns what it writes to standard output.
  @discardableResult package func ffmpeg(
    _ line: String, _ more: [String] = [], in subfolder: String = ""
  ) throws -> Data {
    let ended = try run("ffmpeg -v error -y " + line, more, in: subfolder)
    if ended.status != 0 { throw MadeClip.Failure(what: ended.error) }
    return ended.data
  }

  /// What ffprobe reports of the video in a file: the values of the entries, with commas between them.
  package func probe(_ file: String, _ entries: String) throws -> String {
    try probed(url(file).path, entries)
  }
}

/// What ffprobe reports of the video in a file.
package func probed(_ path: String, _ entries: String) throws -> String {
  let options =
    "ffprobe -v error -select_streams v -count_frames -show_entries \(entries) -of csv=p=0"
  return try execute(options, [path]).output.trimmingCharacters(in: .whitespacesAndNewlines)
}

/// Runs a program, which is the first word of the line.
@discardableResult package func execute(
  _ line: String, _ more: [String] = [], in folder: URL? = nil, environment: [String: String] = [:],
  input: String? = nil
) throws -> BuiltTool.Result {
  let words = arguments(line)
  return BuiltTool.Result(
    try run(words[0], words[1...] + more, in: folder, environment: environment, input: input))
}

private func arguments(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

extension MadeClip {
  /// - Parameter line: the options up to the output, without spaces, with one space between two.
  package init(named name: String = "clip.mp4", _ line: String, _ more: [String] = []) throws {
    try self.init(named: name, arguments(line) + more)
  }

  /// ``h264`` in a line.
  package static let x264 = h264.joined(separator: " ")

  @discardableResult package func artworkd(_ line: String, _ more: [String] = []) throws
    -> BuiltTool.Result
  { try folder.artworkd(line, more) }
}
