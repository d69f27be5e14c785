import Testing

@testable import ArtworkPipeline

@Suite struct SeamFramesTests {
  @Test(
    "a part of a clip measures as the same frames by themselves",
    arguments: [0..<96, 10..<70, 3..<5, 40..<41])
  func part(range: Range<Int>) {
    let frames = TestScene.pan(count: 96).enumerated().map { index, frame in
      // As bytes have it.
      Thumbnail(
        luma: frame.luma.map { $0.rounded() }, blue: frame.blue, red: frame.red,
        sharpness: Float(index % 7))
    }
    var recorder = SeamRecorder()
    for frame in frames { recorder.add(frame) }
    let part = recorder.frames.part(range, of: ReducedClip(frames))
    let alone = TestScene.measure(Array(frames[range]))
    #expect((alone == nil) == (range.count < 2))
    #expect(
      SeamMeasurement(
        part, timestamps: (0..<range.count).map(Int64.init), lastDuration: 1, medianStep: 1)
        == alone)
  }
}
