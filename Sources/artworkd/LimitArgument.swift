import ArgumentParser
import ArtworkPipeline

/// `--limit NAME=VALUE`.
struct LimitArgument {
  let apply: @Sendable (inout Limits) -> Void

  /// - Throws: `ValidationError` with what would be right.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    let name = parts.first ?? ""
    func value<Value>(_ expected: String, _ read: (String) -> Value?) throws -> Value {
      guard parts.count == 2, let value = read(parts[1]) else {
        throw ValidationError(
          "--limit \(name)= takes \(expected), not '\(parts.dropFirst().first ?? "")'.")
      }
      return value
    }
    switch name {
    case "file-size":
      let bytes = try value("a size such as 4GiB or 400MB", Self.bytes)
      apply = { $0.fileBytes = bytes }
    case "memory":
      // What a worker has at hand when it starts; less would change nothing.
      let bytes = try value("a size from 128MiB on, such as 2GiB") {
        Self.bytes($0).flatMap { $0 >= 128 << 20 ? $0 : nil }
      }
      apply = { $0.memoryBytes = bytes }
    case "pixels":
      let pixels = try value("a product such as 8192x8192, or a number", Self.pixels)
      apply = { $0.pixels = pixels }
    case "duration":
      let seconds = try value(
        "a time in whole seconds, minutes or hours, such as 90s or 10m", Self.seconds)
      apply = { $0.durationSeconds = Double(seconds) }
    case "cpu":
      let seconds = try value(
        "a time in whole seconds, minutes or hours, such as 60s", Self.seconds)
      apply = {
        $0.cpuSeconds = seconds
        $0.cpuSecondsForEverything = seconds
      }
    case "frames":
      let count = try value("a whole number from 1 on", Self.number)
      apply = { $0.frames = count }
    case "streams":
      let count = try value("a whole number from 1 on", Self.number)
      apply = { $0.streams = count }
    default:
      throw ValidationError(
        "--limit knows file-size, pixels, duration, frames, streams, cpu and memory, not '\(name)'."
      )
    }
  }

  /// 1 to 10^12: no limit is worth more, and none overflows when it is multiplied.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard let number = Int(text), (1...1_000_000_000_000).contains(number) else { return nil }
    return number
  }

  private static func scaled(_ text: String, _ units: KeyValuePairs<String, Int>) -> Int? {
    for (unit, factor) in units where text.hasSuffix(unit) {
      guard let count = number(text.dropLast(unit.count)) else { return nil }
      let (product, overflow) = count.multipliedReportingOverflow(by: factor)
      return overflow || product > 1 << 50 ? nil : product
    }
    return number(text)
  }

  /// Bytes, or with a unit: 512MiB, 4GiB, 400MB.
  private static func bytes(_ text: String) -> Int64? {
    scaled(
      text,
      [
        "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "kB": 1000, "MB": 1_000_000,
        "GB": 1_000_000_000,
      ]
    ).map(Int64.init)
  }

  /// Seconds, or with a unit: 90s, 10m, 1h.
  private static func seconds(_ text: String) -> Int? {
    scaled(text, ["s": 1, "m": 60, "h": 3600])
  }

  /// A product like 8192x8192, or a number.
  private static func pixels(_ text: String) -> Int64? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return number(text).map(Int64.init) }
    guard let width = number(sides[0]), let height = number(sides[1]) else { return nil }
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : number("\(product)").map(Int64.init)
  }
}
