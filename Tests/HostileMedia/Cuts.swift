public import Foundation

/// Copies of a clip that were cut short.
public enum Cuts {
  /// Cut at every boundary of a box, one byte before and after it, and at 100 other places.
  public static func of(_ fixture: String) -> [(length: Int, bytes: Data)] {
    let movie = MovieFile(fixture)
    var random = SplitMix(state: 9)
    var lengths = Set(movie.boundaries.flatMap { [$0 - 1, $0, $0 + 1] })
    for _ in 0..<100 { lengths.insert(Int(random.next() % UInt64(movie.bytes.count))) }
    return lengths.filter { (1..<movie.bytes.count).contains($0) }.sorted().map { ($0, Data(movie.bytes[..<$0])) }
  }

  /// The extents of the headers of fragments.
  public static func fragmentHeaders(_ fixture: String) -> [Range<Int>] {
    let bytes = MovieFile(fixture).bytes
    return bytes.places(of: Bytes("moof".utf8)).map { $0 - 4..<$0 - 4 + bytes.unsigned32(at: $0 - 4) }
  }
}
