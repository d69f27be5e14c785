/// Whether an ISO base media file holds still pictures only (ISO/IEC 23008-12): some of them carry the brand of a
/// sequence.
package enum StillItems {
  /// Boxes at file level that are followed; files of stills have a handful.
  private static let mostBoxes = 64

  /// Compares the headers of the boxes at file level, and reads nothing in them.
  package static func areAll(of input: InputFile) -> Bool {
    let reader = BoxReader(input)
    var (offset, hasItems): (Int64, Bool) = (0, false)
    for _ in 0..<mostBoxes {
      guard let box = reader.box(at: offset, limit: reader.fileSize) else { break }
      switch box.type {
      case "moov", "moof": return false
      case "meta", "mini": hasItems = true
      default: break
      }
      offset = box.next
    }
    return hasItems
  }
}
