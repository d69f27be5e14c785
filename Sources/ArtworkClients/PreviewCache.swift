import ArtworkModel
import Synchronization

/// The last preview of each of the artworks that were asked for last.
final class PreviewCache: Sendable {
  struct Entry {
    /// The ETag with its quotes.
    var tag: String
    var size: PixelSize?
    var image: PreviewImage
  }

  /// A player shows one item at a time; this is a few albums.
  private static let capacity = 16
  private let entries = Mutex<[(reference: ArtworkReference, entry: Entry)]>([])

  func preview(of reference: ArtworkReference, inside size: PixelSize?) -> Entry? {
    entries.withLock { entries in
      entries.first { $0.reference == reference && $0.entry.size == size }?.entry
    }
  }

  func keep(
    _ image: PreviewImage, tag: String, of reference: ArtworkReference, inside size: PixelSize?
  ) {
    entries.withLock { entries in
      entries.removeAll { $0.reference == reference }
      entries.append((reference, Entry(tag: tag, size: size, image: image)))
      if entries.count > Self.capacity { entries.removeFirst() }
    }
  }
}

extension PreviewImage {
  /// From the header, which comes first in every PNG file; `nil` for what is none.
  static func size(ofPNG bytes: [UInt8]) -> PixelSize? {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard bytes.count >= 24, bytes.starts(with: signature),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(at place: Int) -> Int {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let (width, height) = (number(at: 16), number(at: 20))
    return width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
  }
}
