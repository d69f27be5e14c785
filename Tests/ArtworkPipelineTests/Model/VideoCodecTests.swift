import Foundation
import TestSupport
import Testing

@testable import ArtworkCore
@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline

/// The tables of codecs and of still formats: each line is complete, and what reads the tables follows them.
@Suite struct VideoCodecTests {
  @Test("names and titles are there, and each is unique")
  func names() {
    for names in [VideoCodec.all.map(\.name), VideoCodec.all.map(\.title)] {
      #expect(Set(names).count == names.count && !names.contains(""))
    }
    for codec in VideoCodec.all { #expect(VideoCodec.title(of: codec.name) == codec.title) }
    #expect(VideoCodec.title(of: "cinepak") == "CINEPAK")
  }

  @Test("FFmpeg knows each codec by its name and has a decoder for those that are decoded")
  func decoders() {
    let decoded = VideoCodec.all.filter(\.isDecoded)
    #expect(AllowedDecoders.codecs.count == decoded.count)
    #expect(AllowedDecoders.names.split(separator: ",").count == decoded.count)
  }

  @Test("each codec is judged as its line says", arguments: VideoCodec.all.map(\.name))
  func judged(name: String) throws {
    let codec = try #require(VideoCodec.named(name))
    let raised = findings(CodecRule.self) { $0.codec = name }
    switch codec.playback {
    case .everywhere: #expect(raised.isEmpty)
    case .somewhere(let reason, let help):
      #expect(raised.map(\.severity) == [.warning] && raised.map(\.help) == [help])
      #expect(raised.map(\.message) == ["\(codec.title) \(reason)"] && !reason.isEmpty)
    case .nowhere:
      #expect(raised.map(\.message) == ["AVFoundation does not play \(codec.title)"])
    }
    // A codec that plays everywhere needs a sample entry and pixel formats that distinguish it from others.
    #expect((codec.playback == .everywhere) == (codec.sampleEntries != nil))
    #expect((codec.playback == .everywhere) == (codec.safeFormats != nil))
    if let entries = codec.sampleEntries {
      #expect(!entries.played.isEmpty && entries.played.allSatisfy { $0.utf8.count == 4 })
    }
    if let safe = codec.safeFormats { #expect(safe.bitDepths.contains(8)) }
  }

  @Test("docs/rules.md names each codec, sample entry and safe format in its rule's section")
  func documented() throws {
    let text = try DocumentTests.document("rules.md")
    func section(_ id: String) throws -> Substring {
      let start = try #require(text.range(of: "\n## \(id)\n"))
      let rest = text[start.upperBound...]
      return rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    }
    for codec in VideoCodec.all {
      #expect(try section("codec").contains(codec.title), "\(codec.name)")
      for entry in codec.sampleEntries?.played ?? [] {
        #expect(try section("codec-tag").contains("`\(entry)`"))
      }
      if let safe = codec.safeFormats {
        #expect(
          try section("pixel-format").contains("\(safe.chroma) with \(safe.bits) in \(codec.title)")
        )
      }
    }
    for still in StillFormat.all {
      #expect(try section("preview-aspect").contains(still.title), "\(still.name)")
      #expect(try section("complementary").contains(still.title), "\(still.name)")
    }
  }

  @Test("each still format is complete, and its decoder is allowed")
  func stills() throws {
    for still in StillFormat.all {
      #expect(!still.name.isEmpty && !still.title.isEmpty && !still.extensions.isEmpty)
      #expect(still.extensions.allSatisfy { $0 == $0.lowercased() && !$0.hasPrefix(".") })
      #expect(VideoCodec.named(still.codec)?.isDecoded == true)
      #expect(ContainerFormat.stills.contains(still.demuxer))
    }
    #expect(Set(StillFormat.all.map(\.name)).count == StillFormat.all.count)
    #expect(StillFormat.extensions.count == StillFormat.all.flatMap(\.extensions).count)
    #expect(StillFormat.titles == "PNG or JPEG")
  }

  @Test("lists read as a person writes them")
  func lists() {
    #expect([].listed("and") == "" && ["a"].listed("and") == "a")
    #expect(["a", "b"].listed("or") == "a or b" && ["a", "b", "c"].listed("and") == "a, b and c")
  }
}
