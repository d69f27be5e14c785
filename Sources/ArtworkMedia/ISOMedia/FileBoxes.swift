/// The boxes at file level of an ISO base media file that is no whole movie. Compares their headers, and reads nothing in
/// them but for those in the movie header.
package struct FileBoxes {
  private let reader: BoxReader
  private let boxes: [Box]

  /// Boxes that are followed; other files than movies have a handful before it is clear what they are.
  private static let most = 64

  package init(_ input: InputFile) {
    reader = BoxReader(input)
    boxes = reader.boxes(0, reader.fileSize, most: Self.most)
  }

  private func have(_ types: Set<BoxType>) -> Bool { boxes.contains { types.contains($0.type) } }

  /// Whether it holds still pictures only (ISO/IEC 23008-12): some of them carry the brand of a sequence.
  package var areStills: Bool { have(["meta", "mini"]) && !have(["moov", "moof"]) }

  /// Whether it is a part of a stream (HLS or DASH): a segment, which has no movie header, or the header of all, which
  /// has no frames.
  package var arePartOfStream: Bool {
    guard let header = boxes.first(where: { $0.type == "moov" }) else {
      return have(["moof"]) || boxes.first?.type == "styp"
    }
    return !have(["moof", "mdat"]) && header.next <= reader.fileSize
      && reader.boxes(header.start, header.end, most: Self.most).contains { $0.type == "mvex" }
  }
}
