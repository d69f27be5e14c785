public import Foundation

/// A sample clip with the measurements of ffprobe and ffmpeg and the facts known by construction.
/// `Scripts/fixtures/make-fixtures.py` makes both.
public struct Fixture: Decodable, Sendable, CustomStringConvertible {
  public var file: String
  public var about: String
  public var facts: Facts
  public var label: Label

  public struct Facts: Decodable, Sendable {
    public struct Times: Decodable, Sendable {
      public var first: Double?
      public var last: Double?
      public var minStep: Double?
      public var maxStep: Double?
    }
    public struct Digests: Decodable, Sendable {
      public var count: Int
      public var first: [String]
      public var last: [String]
    }

    public var readable: Bool
    public var format: String?
    public var majorBrand: String?
    /// For example `video:h264`.
    public var streams: [String]
    public var codec: String?
    public var profile: String?
    public var codecTag: String?
    public var pixelFormat: String?
    public var codedWidth: Int?
    public var codedHeight: Int?
    public var sampleAspect: [Int64]?
    public var rotationClockwise: Int?
    public var mirrored: Bool?
    public var averageRate: String?
    public var realRate: String?
    public var streamDuration: Double?
    public var hasAudio: Bool?
    public var fileBytes: Int64
    public var colorSpace: String?
    public var colorTransfer: String?
    public var colorPrimaries: String?
    public var colorRange: String?
    /// Pictures the decoder holds back to reorder.
    public var reorderDepth: Int?
    public var packets: Int?
    public var keyPackets: Int?
    public var discardPackets: Int?
    public var decodedFrames: Int?
    public var framePTS: Times?
    public var frameMD5: Digests?
    public var decodeErrorLines: Int?
  }

  public struct Label: Decodable, Sendable {
    public var key: String?
    public var loop: String?
    /// Words a checker must raise, and words it may.
    public var expect: [String]
    public var allow: [String]
  }

  public var description: String { file }
  public var url: URL { Self.folder.appendingPathComponent(file) }

  public static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("media")

  public static let all: [Fixture] = {
    let list = folder.deletingLastPathComponent().appendingPathComponent("fixtures.json")
    do {
      return try JSONDecoder().decode([Fixture].self, from: Data(contentsOf: list))
    } catch {
      fatalError("\(list.path) is not what it should be: \(error)")
    }
  }()

  public static func named(_ file: String) -> Fixture {
    guard let found = all.first(where: { $0.file == file }) else {
      fatalError("there is no fixture \(file)")
    }
    return found
  }

  /// The fixtures with a moving picture of which at least one frame decodes. ffprobe also follows playlists and
  /// decodes stills and cover pictures, which do not count.
  public static var decodable: [Fixture] {
    all.filter { fixture in
      (fixture.facts.decodedFrames ?? 0) > 0
        && !fixture.label.expect.contains { ["not-a-movie", "no-video"].contains($0) }
    }
  }
}
