import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

/// A digest of all settings, which two runs share if they would give equal results.
extension Configuration {
  private struct Decisive<Options: Encodable>: Encodable {
    var version = Artworkd.version
    var ffmpeg = FFmpegVersion.text
    /// The SHA-256 of artwork.yml and of the files that it lists artworks in.
    var files: [String]
    var options: Options
  }

  /// The SHA-256 of options, of the configuration's files and of the versions: everything besides the videos that
  /// affects results.
  ///
  /// - Throws: the exit code, if the configuration cannot be read again.
  func digest(with options: some Encodable) throws -> String {
    var files: [FilePath] = []
    for file in [file].compactMap(\.self) + manifest.entries.map(\.source)
    where !files.contains(file) { files.append(file) }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let decisive = Decisive(files: try files.map(Self.digest), options: options)
      return try SHA256.digest(of: Array(try encoder.encode(decisive))).hexadecimal
    } catch {
      Terminal.printError("artworkd: cannot read the configuration again: \(error)\n")
      throw ExitStatus.usage.code
    }
  }

  private static func digest(of file: FilePath) throws -> String {
    let source = try SourceFile(file)
    var hash = try SHA256()
    var offset: Int64 = 0
    while true {
      let bytes = try source.read(at: offset)
      if bytes.isEmpty { return try hash.finish().hexadecimal }
      try hash.update(bytes)
      offset += Int64(bytes.count)
    }
  }
}
