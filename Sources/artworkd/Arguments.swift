import ArgumentParser
import ArtworkModel
import SystemPackage

/// A file name; `-` is standard input or output where that makes sense.
struct PathArgument: ExpressibleByArgument {
  var path: FilePath

  init?(argument: String) {
    if argument.isEmpty { return nil }
    path = RawArguments.path(argument)
  }

  var isStandardStream: Bool { path == "-" }
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
