/// Why a candidate could not be inspected. If a file was inspected but breaks a rule, that is a `Finding`, not an
/// error.
public struct InspectionError: Error, Sendable, Hashable, Codable {
  /// Stable identifiers, part of the public contract (`error.code` in JSON).
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    case notFound = "not-found"
    case unreadable = "unreadable"
    case notAFile = "not-a-file"
    case outsideFolder = "outside-folder"
    case emptyFile = "empty-file"
    case changedWhileReading = "changed-while-reading"
    case tooLarge = "too-large"
    case tooLong = "too-long"
    case tooManyFrames = "too-many-frames"
    case tooManyStreams = "too-many-streams"
    case notAMovie = "not-a-movie"
    case streamPart = "stream-part"
    case noVideo = "no-video"
    case noFrames = "no-frames"
    case unsupportedCodec = "unsupported-codec"
    case truncated = "truncated"
    case decodeFailed = "decode-failed"
    case noMatch = "no-match"
    case outOfMemory = "out-of-memory"
    case timedOut = "timed-out"
    case decoderCrashed = "decoder-crashed"
    case workerFailed = "worker-failed"
    case previewNotWritten = "preview-not-written"
    case videoNotWritten = "video-not-written"
    case notCopied = "not-copied"
  }

  public var code: Code
  /// The problem, in a sentence without the name of the file.
  public var message: String
  /// The operation that failed, for example `open the container`; `nil` if the message names it.
  public var operation: String?
  /// Advice for the user, if it differs from that of the code.
  public var advice: String?

  public init(_ code: Code, _ message: String, operation: String? = nil, advice: String? = nil) {
    self.code = code
    self.message = message
    self.operation = operation
    self.advice = advice
  }
}

extension InspectionError: CustomStringConvertible {
  public var description: String {
    operation.map { "\(message) (while trying to \($0))" } ?? message
  }

  /// Why a file cannot be opened or written, in the system's words or ours, and what helps. The first counts.
  private static let causes: [(cause: String, advice: String)] = [
    ("cannot open the file: permission denied", "allow yourself to read it, or run as its owner"),
    ("symbolic links", "the link leads to itself: name what it was meant for"),
    ("no space left", "make room on the disk, or name another folder"),
    ("read-only file system", "name a folder on another disk"),
    ("permission denied", "name a folder that may be written"),
    ("not a directory", "a file has the name of a folder: name another"),
    ("is a directory", "a folder has the name: name another"),
    ("exists, and is not replaced", "move it away, or name another"),
  ]

  /// Advice for the user.
  public var help: String {
    if let advice = advice ?? Self.causes.first(where: { message.contains($0.cause) })?.advice {
      return advice
    }
    return switch code {
    case .notFound: "check the path, and if it is a link, its target"
    case .unreadable: "check the permissions and the disk"
    case .notAFile: "replace it with a video file"
    case .outsideFolder: "copy the file into the folder, or name it on the command line"
    case .emptyFile: "copy or export it again"
    case .changedWhileReading: "check it again when it is complete"
    case .tooLarge, .tooLong, .tooManyFrames, .tooManyStreams:
      "export it smaller or shorter, or raise the limit (--limit)"
    case .notAMovie: "export the artwork as an H.264 .mp4"
    case .streamPart: "export the whole clip as one file: a part of a stream plays nowhere alone"
    case .noVideo: "export it with a video track"
    case .noFrames: "export it again"
    case .unsupportedCodec: "export the artwork as an H.264 .mp4"
    case .truncated: "copy or export it again"
    case .decodeFailed: "copy or export it again"
    case .noMatch: "`artworkd lottie info FILE` lists the available names"
    case .outOfMemory: "raise the limit (--limit memory=2GiB), or export it smaller"
    case .timedOut: "export it smaller or shorter, or raise the limit (--limit cpu=60s)"
    case .decoderCrashed: "the file is damaged or malicious: export it again"
    case .workerFailed: "check it again; if it fails again, report a bug and attach the file"
    case .previewNotWritten:
      operation == nil
        ? "check that the folder exists, may be written and has space"
        : "make it smaller (--size), or write PNG"
    case .videoNotWritten:
      operation == nil
        ? "check that the folder exists, may be written and has space, and that no file has the name"
        : "make it smaller or shorter, or raise the limit (--limit memory=4GiB)"
    case .notCopied: "request something else, or export it again"
    }
  }
}

extension InspectionError {
  /// Whether an unchanged file always causes this error. Disks, permissions, memory, time limits and crashes may have
  /// other causes.
  package var isOfTheFile: Bool {
    switch code {
    case .emptyFile, .tooLarge, .tooLong, .tooManyFrames, .tooManyStreams, .notAMovie,
      .streamPart, .noVideo, .noFrames, .unsupportedCodec, .truncated, .decodeFailed, .noMatch,
      .notCopied:
      true
    case .notFound, .unreadable, .notAFile, .outsideFolder, .changedWhileReading, .outOfMemory,
      .timedOut, .decoderCrashed, .workerFailed, .previewNotWritten, .videoNotWritten:
      false
    }
  }
}
