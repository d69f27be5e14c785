/// A clip whose single frames can be read again after all were measured: for loop searches, and for drawing seams.
package protocol SearchableClip: FrameSource, ~Copyable {
  /// How many frames may come, so that memory is taken once.
  var expectedCount: Int { get }

  /// The positions at which it can be cut without encoding.
  func cutPlaces() throws(InspectionError) -> CutPlaces

  /// The frames of these numbers, fitted inside `box`.
  ///
  /// - Parameters:
  ///   - decoded: the clip, decoded before.
  ///   - places: of that many frames.
  func pictures(
    _ numbers: Set<Int>, of decoded: DecodedClip, places: CutPlaces, inside box: PixelSize
  ) throws(InspectionError) -> [Int: PixelImage]
}

extension OpenClip: SearchableClip {
  package var expectedCount: Int { min(limits.frames, table.packets.count) }

  package func cutPlaces() throws(InspectionError) -> CutPlaces {
    try unsafe CutPlaces(demuxer: demuxer, stream: stream, table: table)
  }

  package func pictures(
    _ numbers: Set<Int>, of decoded: DecodedClip, places: CutPlaces, inside box: PixelSize
  ) throws(InspectionError) -> [Int: PixelImage] {
    try PictureReader.read(numbers, self, decoded: decoded, places: places, inside: box)
  }
}

extension PictureSequence: SearchableClip {
  package var expectedCount: Int { durations.count }

  package func cutPlaces() -> CutPlaces { CutPlaces(frameCount: durations.count) }

  package func pictures(
    _ numbers: Set<Int>, of decoded: DecodedClip, places: CutPlaces, inside box: PixelSize
  ) throws(InspectionError) -> [Int: PixelImage] {
    var result: [Int: PixelImage] = [:]
    for number in numbers.sorted() {
      result[number] = try PictureFrame(picture(number)).picture { $0.limited(to: box) }
    }
    return result
  }
}
