/// Everything that is wrong with a configuration, a manifest or a baseline: all of it, not only the first.
public struct ConfigurationError: Error, Sendable, Equatable {
  public struct Problem: Sendable, Hashable {
    public var file: FilePath
    /// Line and column from 1; `nil` if the file as a whole is meant.
    public var place: SourcePlace?
    /// The mistake and its correction, in one line. May quote the file.
    public var message: String

    public init(file: FilePath, place: SourcePlace? = nil, message: String) {
      self.file = file
      self.place = place
      self.message = message
    }
  }

  /// Problems in the order of file and place.
  public var problems: [Problem]

  public init(_ problems: [Problem]) { self.problems = problems }

  /// One problem of a file as a whole.
  package init(_ file: FilePath, _ message: String) {
    self.init([Problem(file: file, message: message)])
  }
}

/// A line and a column of a text file, both from 1; columns count Unicode scalars.
public struct SourcePlace: Sendable, Hashable, Comparable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (left: SourcePlace, right: SourcePlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension ConfigurationError.Problem: CustomStringConvertible {
  /// `artwork.yml:3:5: message`, in the format of compilers, which editors understand.
  public var description: String {
    let place = place.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file.string)\(place): \(message)"
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// One problem a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Problems of one file while it is read.
struct ProblemList {
  let file: FilePath
  private var found: Set<ConfigurationError.Problem> = []
  private var elsewhere: [ConfigurationError.Problem] = []

  init(file: FilePath) { self.file = file }

  /// A mistake that an alias repeats in several places is one problem.
  mutating func add(_ message: String, at place: SourcePlace) {
    found.insert(ConfigurationError.Problem(file: file, place: place, message: message))
  }

  mutating func add(_ error: ConfigurationError) { elsewhere += error.problems }

  var all: [ConfigurationError.Problem] {
    found.sorted { left, right in
      guard let first = left.place, let second = right.place, first != second else {
        return left.message < right.message
      }
      return first < second
    } + elsewhere
  }
}
