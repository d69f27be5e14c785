/// The inputs of a report besides the results.
public struct ReportSetting: Sendable {
  /// Style of `text`, `full` and `concise` only.
  public var style = TextStyle.plain
  /// Columns of the terminal, at least 40; `nil` wraps nothing. Of `text` and `full` only.
  public var width: Int?
  /// Leave out candidates without new warnings, failures and errors. Of `text`, `full` and `concise` only: programs
  /// count.
  public var onlyProblems = false
  /// The named paths, for a command that repairs all of them; empty if there is no such command. Only for `text`.
  public var places: [FilePath] = []
  /// How the named paths were searched: `--exclude` with its patterns. Of `text` only.
  public var search: [String] = []
  /// The severity from which on a finding fails; `nil` if none does. Of `junit` only: others name severities.
  public var failOn: Finding.Severity? = .error
  /// The base of the candidates' paths; absolute.
  public var currentFolder: FilePath
  /// The folder of the report, for pages that link to the videos; absolute or relative to ``currentFolder``.
  public var folder: FilePath
  public var toolVersion: String
  /// The bytes of a candidate, for pages that embed small ones; `nil` if it cannot be read, or is larger than
  /// ``largestEmbedded``.
  public var contents: @Sendable (FilePath) -> [UInt8]? = { _ in nil }

  /// What a file was made of, for pages that show both, and what happened to the picture, in sentences. Only for `html`.
  public var before: @Sendable (FilePath) -> (report: CandidateReport, changes: [String])? = {
    _ in nil
  }
  /// Why a person may deny what was made, in sentences; it then needs a look. Only for `html`.
  public var doubts: @Sendable (FilePath) -> [String] = { _ in [] }
  /// The SHA-256 of a file, by which a page remembers what somebody thought of it. Only for `html`.
  public var digest: @Sendable (FilePath) -> String? = { _ in nil }

  /// Writes a picture of the page beside it, under a plain name, and returns its path; `nil` for pictures inside the
  /// page. Only for `html`.
  public var placePicture: (@Sendable (_ bytes: [UInt8], _ name: String) throws -> FilePath)?

  /// Bytes of a video or cover that a page carries along, at most.
  public static let largestEmbedded = 2 << 20
  /// Bytes of all of them and of the pictures: videos are carried along only in small pages.
  static let largestEmbeddedTotal = 6 << 20
  /// Bytes of the pictures of all candidates.
  static let largestPictures = 12 << 20

  /// - Parameter folder: the folder of the report; the current folder if `nil`.
  /// - Parameter currentFolder: `nil` for that of the process.
  public init(currentFolder: FilePath? = nil, folder: FilePath? = nil, toolVersion: String) {
    let currentFolder = currentFolder ?? .currentFolder
    self.currentFolder = currentFolder
    self.folder = folder.map { currentFolder.pushing($0) } ?? currentFolder
    self.toolVersion = toolVersion
  }
}

/// Paths of files as URIs (RFC 3986), relative to a folder.
extension ReportSetting {
  /// Relative to ``folder``, also upwards: for a page beside the files.
  func pageLink(to path: FilePath) -> String {
    Self.relative(currentFolder.pushing(path), to: folder).percentEncoded
  }

  /// The URI relative to ``currentFolder``; `nil` for a path outside it.
  func uriBelowCurrentFolder(_ path: FilePath) -> String? {
    let relative = Self.relative(currentFolder.pushing(path), to: currentFolder)
    return relative.isAbsolute || relative.components.first?.kind == .parentDirectory
      ? nil : relative.percentEncoded
  }

  func fileURI(_ path: FilePath) -> String {
    "file://" + currentFolder.pushing(path).lexicallyNormalized().percentEncoded
  }

  /// Both absolute. By name: links are not followed.
  private static func relative(_ path: FilePath, to folder: FilePath) -> FilePath {
    let (path, folder) = (path.lexicallyNormalized(), folder.lexicallyNormalized())
    return path.isAbsolute && folder.isAbsolute ? path.relative(to: folder) : path
  }
}
