public import ArgumentParser
import ArtworkModel
public import ArtworkPipeline

extension MovieCodec: ExpressibleByArgument {
  /// The codecs that Apple systems play.
  private static let offered: [MovieCodec] = [.h264, .hevc]
  public static var allValueStrings: [String] { offered.map(\.rawValue) }

  public init?(argument: String) {
    guard let codec = Self.offered.first(where: { $0.rawValue == argument }) else { return nil }
    self = codec
  }
}

extension Drawing.ContentMode: ExpressibleByArgument {}
extension Motion.Kind: ExpressibleByArgument {}

extension MovieContainer {
  /// The container that the name of a new video requests.
  ///
  /// - Throws: `ValidationError` for standard output and for any other extension.
  init(fileName output: PathArgument) throws {
    try output.refuseStream("A video")
    switch output.path.extension?.lowercased() {
    case "mp4", "m4v": self = .mp4
    case "mov": self = .mov
    default:
      throw ValidationError(
        "The output is an MP4 or QuickTime file: use a name that ends in .mp4 or .mov.")
    }
  }
}

extension FrameSelection.Order: ExpressibleByArgument {
  /// Parses an argument, for example `auto-reverse` or `repeat:3`.
  public init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let count = parts.count == 2 ? Int(plainDigits: parts[1]) : nil
    switch (parts[0], count) {
    case ("loop", nil) where parts.count == 1: self = .loop
    case ("once", nil) where parts.count == 1: self = .once
    case ("auto-reverse", nil) where parts.count == 1: self = .autoReverse
    case ("repeat", let count?) where count > 0: self = .repeated(count)
    case ("repeat-back", let count?) where count > 0: self = .repeatedBack(count)
    default: return nil
    }
  }
}

extension FrameSelection.Position: ExpressibleByArgument {
  /// Parses an argument, for example `12`, `50%` or `1.5s`.
  public init?(argument: String) {
    if argument.hasSuffix("%") {
      guard let percent = Rational(decimal: argument.dropLast()), percent <= Rational(100) else {
        return nil
      }
      self = .progress(percent.value / 100)
    } else if argument.hasSuffix("s") {
      guard let seconds = Rational(decimal: argument.dropLast()) else { return nil }
      self = .seconds(seconds.value)
    } else {
      guard let frame = Int(plainDigits: argument) else { return nil }
      self = .frame(frame)
    }
  }
}

/// `--fps`.
enum FrameRateArgument: ExpressibleByArgument {
  case native
  case fixed(Rational)

  init?(argument: String) {
    if argument == "native" {
      self = .native
    } else if let rate = Rational(decimal: argument), rate >= .one,
      rate <= Rational(FrameSelection.highestRate)
    {
      self = .fixed(rate)
    } else {
      return nil
    }
  }

  var rate: Rational? {
    if case .fixed(let rate) = self { rate } else { nil }
  }
}

/// `--speed`: 0.01 to 100.
struct SpeedArgument: ExpressibleByArgument {
  var speed: Rational

  init?(argument: String) {
    guard let speed = Rational(decimal: argument),
      let slowest = Rational(1, 100), (slowest...Rational(100)).contains(speed)
    else { return nil }
    self.speed = speed
  }
}

extension PixelColor: ExpressibleByArgument {
  /// `black`, `white`, or six hexadecimal digits, with or without `#`.
  public init?(argument: String) {
    let names = ["black": "000000", "white": "ffffff"]
    let digits =
      names[argument] ?? (argument.hasPrefix("#") ? String(argument.dropFirst()) : argument)
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
      let code = UInt32(digits, radix: 16)
    else { return nil }
    self.init(
      red: UInt8(truncatingIfNeeded: code >> 16), green: UInt8(truncatingIfNeeded: code >> 8),
      blue: UInt8(truncatingIfNeeded: code))
  }

  public var defaultValueDescription: String {
    self == .black
      ? "black" : [red, green, blue].map { Array(CollectionOfOne($0)).hexadecimal }.joined()
  }
}

extension Rational {
  /// A number such as `24`, `29.97` or `30000/1001`, not below zero, with at most six decimals.
  init?(decimal text: some StringProtocol) {
    let fraction = text.split(separator: "/", omittingEmptySubsequences: false)
    if fraction.count == 2 {
      // With nine digits, products of two fractions are exact.
      guard fraction.allSatisfy({ $0.count <= 9 }), let top = Int64(plainDigits: fraction[0]),
        let bottom = Int64(plainDigits: fraction[1])
      else { return nil }
      self.init(top, bottom)
      return
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? String(parts[1]) : "0"
    guard parts.count <= 2, decimals.count <= 6, parts[0].count <= 9,
      let digits = Int64(plainDigits: "\(parts[0])\(decimals)"),
      Int64(plainDigits: decimals) != nil,
      let scale = Int64("1" + String(repeating: "0", count: decimals.count))
    else { return nil }
    self.init(digits, scale)
  }
}
