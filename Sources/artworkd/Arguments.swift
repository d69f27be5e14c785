import ArgumentParser
import ArtworkPipeline
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

/// `--profile`: names separated by commas.
struct ProfileList: ExpressibleByArgument {
  var profiles: [Profile]

  init?(argument: String) {
    let names = argument.split(separator: ",").map(String.init)
    guard !names.isEmpty, names.allSatisfy(Self.allValueStrings.contains) else { return nil }
    profiles = Profile.all.filter { names.contains($0.name) }
  }

  init(_ profiles: [Profile]) { self.profiles = profiles }

  static var allValueStrings: [String] { Profile.all.map(\.name) }
  var defaultValueDescription: String { profiles.map(\.name).joined(separator: ",") }
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
