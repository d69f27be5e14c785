import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// A path; some arguments take `-` for standard input or output.
struct PathArgument: ExpressibleByArgument {
  var path: FilePath

  init?(argument: String) {
    if argument.isEmpty { return nil }
    path = RawArguments.path(argument)
  }

  var isStandardStream: Bool { path == "-" }
}

extension [PathArgument] {
  /// - Throws: `ValidationError` for a second list on standard input.
  func requireOneStream() throws {
    if count(where: \.isStandardStream) > 1 {
      throw ValidationError("- (standard input) can be given only once.")
    }
  }
}

extension ClosedRange where Bound: LosslessStringConvertible {
  /// - Parameter numbers: the words before the limits.
  /// - Throws: `ValidationError` for a value of an option outside of the range.
  func require(_ value: Bound?, of option: String, _ numbers: String = "") throws {
    guard let value, !contains(value) else { return }
    func text(_ bound: Bound) -> String { Double("\(bound)").map { decimal($0, places: 2) } ?? "" }
    throw ValidationError(
      "\(option) takes "
        + (numbers.isEmpty
          ? "\(text(lowerBound)) to \(text(upperBound))."
          : "\(numbers) from \(text(lowerBound)) to \(text(upperBound)), not \(value)."))
  }
}

/// `--format` of commands that print for people or for programs.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// `--key`.
enum KeyChoice: ExpressibleByArgument {
  case auto
  case fixed(ArtworkKey)

  init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else if let key = ArtworkKey(rawValue: argument) {
      self = .fixed(key)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { ["auto"] + ArtworkKey.allCases.map(\.rawValue) }

  var key: ArtworkKey? {
    if case .fixed(let key) = self { key } else { nil }
  }
}

/// Names separated by commas.
struct NameList: ExpressibleByArgument {
  var names: [String]

  init?(argument: String) {
    names = argument.split(separator: ",").map(String.init)
    if names.isEmpty { return nil }
  }
}

/// `--select` and `--ignore`: ids of rules, separated by commas.
struct RuleList {
  var names: [String]

  /// - Throws: `ValidationError` with a suggestion, for an unknown rule.
  init(_ argument: String) throws {
    names = argument.split(separator: ",").map(String.init)
    if names.isEmpty { throw ValidationError("Name a rule; artworkd explain lists them.") }
    for name in names where Rules.named(name) == nil {
      let nearest = NearestWord.suggestion(for: name, among: Rules.catalogue.map { $0.id })
      throw ValidationError(
        "Unknown rule '\(name)'" + (nearest.isEmpty ? "; artworkd explain lists them." : nearest))
    }
  }
}

/// `--size`: WIDTHxHEIGHT, each 1 to 16384 pixels.
struct SizeArgument: ExpressibleByArgument {
  var size: PixelSize

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      (1...16384).contains(width), (1...16384).contains(height)
    else { return nil }
    size = PixelSize(width: width, height: height)
  }
}

/// `--shard`.
extension Shard {
  /// - Throws: `ValidationError` for other texts than `I/N`.
  init(argument text: String) throws {
    guard let shard = Shard(text) else {
      throw ValidationError("--shard takes I/N, for example 3/64, not '\(text)'.")
    }
    self = shard
  }
}

/// `--limit NAME=VALUE`.
struct LimitArgument {
  let apply: @Sendable (inout Limits) -> Void

  /// - Throws: `ValidationError` that describes the expected form.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    let name = parts.first ?? ""
    guard let setting = Limits.settings.first(where: { $0.name == name }) else {
      let names = Limits.settings.map(\.name)
      throw ValidationError(
        "Unknown limit '\(name)'; limits: \(names.joined(separator: ", "))."
      )
    }
    guard parts.count == 2, let change = setting.change(to: parts[1]) else {
      throw ValidationError(
        "--limit \(name) takes \(setting.expected), not '\(parts.dropFirst().first ?? "")'.")
    }
    apply = change
  }
}
