import ArtworkModel
import Synchronization

/// The last preview of each recently shown artwork, shared by the copies of a client.
final class PreviewCache: Sendable {
  struct Entry {
    /// The ETag with its quotes.
    var tag: String
    var size: PixelSize?
    var image: PreviewImage
  }

  /// A player shows one item at a time: 16 artworks are a few albums, and 64 MiB bound the memory for large previews.
  private let entries = Mutex(
    BoundedCache<ArtworkReference, Entry>(.init(count: 16, cost: 64 << 20)))

  func preview(of reference: ArtworkReference, inside size: PixelSize?) -> Entry? {
    let entry = entries.withLock { $0.value(for: reference) }
    return entry?.size == size ? entry : nil
  }

  func insert(
    _ image: PreviewImage, tag: String, of reference: ArtworkReference, inside size: PixelSize?
  ) {
    entries.withLock {
      _ = $0.insert(
        Entry(tag: tag, size: size, image: image), for: reference, cost: image.png.count)
    }
  }
}

extension PreviewImage {
  /// The size in the header that begins every PNG file (PNG, third edition, 11.2.1); `nil` for another format.
  static func size(ofPNG bytes: [UInt8]) -> PixelSize? {
    guard bytes.count >= 24, bytes.starts(with: ArtworkRepresentation.pngSignature),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(at place: Int) -> Int {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let (width, height) = (number(at: 16), number(at: 20))
    return width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
  }
}
