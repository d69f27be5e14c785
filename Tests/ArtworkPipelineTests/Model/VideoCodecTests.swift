@testable import ArtworkJudging
@testable import ArtworkMeasuring
@testable import ArtworkMedia

/// The tables of codecs and of still formats: each line is complete, and what reads the tables follows them.
@Suite struct VideoCodecTests {
  @Test func `names and titles are there, and each is unique`() {
    for names in [VideoCodec.all.map(\.name), VideoCodec.all.map(\.title)] {
      #expect(Set(names).count == names.count && !names.contains(""))
    }
    for codec in VideoCodec.all { #expect(VideoCodec.title(of: codec.name) == codec.title) }
    #expect(VideoCodec.title(of: "cinepak") == "CINEPAK")
  }

  @Test func `FFmpeg knows each codec by its name and has a decoder for those that are decoded`() {
    let decoded = VideoCodec.all.filter(\.isDecoded)
    #expect(AllowedDecoders.codecs.count == decoded.count)
    #expect(AllowedDecoders.names.split(separator: ",").count == decoded.count)
  }

  @Test(arguments: VideoCodec.all.map(\.name))
  func `each codec is judged as its line states`(name: String) throws {
    let codec = try #require(VideoCodec.named(name))
    let raised = findings(CodecRule.self) { $0.codec = name }
    switch codec.playback {
    case .everywhere: #expect(raised.isEmpty)
    case .somewhere(let reason, let help):
      #expect(raised.map(\.severity) == [.warning] && raised.map(\.help) == [help])
      #expect(raised.map(\.message) == ["\(codec.title) \(reason)"] && !reason.isEmpty)
    case .nowhere: #expect(raised.map(\.message) == ["AVFoundation does not play \(codec.title)"])
    }
    // A codec that plays everywhere needs a sample entry and pixel formats that distinguish it from others.
    #expect((codec.playback == .everywhere) == (codec.sampleEntries != nil))
    #expect((codec.playback == .everywhere) == (codec.safeFormats != nil))
    if let entries = codec.sampleEntries {
      #expect(!entries.played.isEmpty && entries.played.allSatisfy { $0.utf8.count == 4 })
    }
    if let safe = codec.safeFormats { #expect(safe.bitDepths.contains(8)) }
  }

  @Test func `the pages of rules name each codec, sample entry, safe format and still format`() {
    func titles(_ isMeant: (VideoCodec.Playback) -> Bool) -> String {
      VideoCodec.all.filter { isMeant($0.playback) }.map(\.title).listed("and")
    }
    let codecs = CodecRule.page.meaning
    #expect(codecs.hasPrefix("The video is \(titles { $0 == .everywhere }.replacing("and", with: "or")). "))
    #expect(codecs.contains("**Warning** for \(titles { $0 != .everywhere && $0 != .nowhere })."))
    #expect(codecs.contains("**Error** for \(titles { $0 == .nowhere }), and "))
    for codec in VideoCodec.all {
      if let entries = codec.sampleEntries {
        let (tags, page) = (entries.played.map { "`\($0)`" }.listed("or"), CodecTagRule.page)
        #expect(page.meaning.contains("\(tags) for \(codec.title)"))
        #expect(page.meaning.contains("**\(entries.othersPlay ? "warning" : "error")** for \(codec.title)"))
      }
      if let safe = codec.safeFormats {
        let formats = "\(safe.chroma) with \(safe.bits) in \(codec.title)"
        #expect(PixelFormatRule.page.meaning.contains(formats))
      }
    }
    for still in FileFormat.stills { #expect(ComplementaryRule.page["Measured"].contains(still.title), "\(still.rawValue)") }
    for still in [FileFormat.png, .jpeg] {
      #expect(PreviewAspectRule.page["Measured"].contains(still.title), "\(still.rawValue)")
    }
    let limits = Limitation.Feature.allCases.map(\.title).listed("and")
    #expect(LottieUnsupportedRule.page.meaning.hasSuffix(": \(limits)."))
  }

  @Test func `each still format is complete, and its decoder is allowed`() throws {
    for still in FileFormat.stills {
      #expect(!still.rawValue.isEmpty && !still.title.isEmpty && !still.extensions.isEmpty)
      #expect(still.extensions.allSatisfy { $0 == $0.lowercased() && !$0.hasPrefix(".") })
      guard let demuxer = still.demuxer else { continue }
      #expect(VideoCodec.named(still.codec)?.isDecoded == true)
      #expect(ContainerFormat.stills.contains(demuxer))
    }
    #expect(Set(FileFormat.stills.map(\.rawValue)).count == FileFormat.stills.count)
    #expect(FileFormat.stillExtensions.count == FileFormat.stills.flatMap(\.extensions).count)
    #expect(FileFormat.stillTitles == "PNG, JPEG, WebP or AVIF")
  }

  @Test(arguments: [
    ("mp4", "video/mp4"), ("mov", "video/quicktime"), ("webm", "video/webm"), ("matroska", "video/x-matroska"),
    ("gif", "image/gif"), ("avif", "image/avif"), ("webp", "image/webp"), ("lottie", "application/json"),
    ("dotlottie", "application/zip+dotlottie"), ("tgs", "application/x-tgsticker"), ("mpegvideo", "video/mp4"),
  ])
  func `a file is sent as what its container is, so that a browser is offered another form`(container: String, type: String) {
    #expect(FileFormat.mediaType(ofContainer: container) == type)
  }
}
