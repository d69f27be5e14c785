/// A rule that a candidate does not satisfy, or a remark.
public struct Finding: Sendable, Equatable, Codable {
  public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
    case info, warning, error

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .info: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// The stable id of the rule, for example `frame-rate`.
  public var rule: String
  public var severity: Severity
  /// The problem, in a sentence.
  public var message: String
  /// The advice.
  public var help: String
  /// A command for a POSIX shell that fixes it, with the file's name; `nil` if no command can, or if the path is
  /// unknown or not UTF-8.
  public var command: String?
  /// How `artworkd repair` fixes it; `nil` if it cannot.
  public var repair: RepairKind?
  /// The change that encoding would make; not part of any report.
  package var edit: ClipEdit?
  /// The measured value and the limit, in words.
  public var measured: String?
  public var limit: String?
  /// The profile that the candidate was judged for.
  public var profile: String

  public init(
    rule: String, severity: Severity, message: String, help: String, command: String? = nil,
    measured: String? = nil,
    limit: String? = nil, profile: String
  ) {
    self.rule = rule
    self.severity = severity
    self.message = message
    self.help = help
    self.command = command
    self.measured = measured
    self.limit = limit
    self.profile = profile
  }

  private enum CodingKeys: String, CodingKey {
    case rule, severity, message, help, command, repair, measured, limit, profile
  }
}
