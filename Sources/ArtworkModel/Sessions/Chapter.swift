/// A titled part of an item. It ends where the next one begins.
public struct Chapter: Sendable, Equatable, OmittedIfEmpty {
  public var title: String
  /// Seconds from the item's beginning, ads included.
  public var startSeconds: Double

  public init(title: String, startSeconds: Double) {
    self.title = title
    self.startSeconds = startSeconds
  }
}

extension MediaContent {
  /// The chapter at a position, and its number from 1 in the order of their beginnings; `nil` before the first chapter.
  ///
  /// - Parameter position: seconds from the item's beginning, ads included.
  public func chapter(at position: Double) -> (number: Int, chapter: Chapter)? {
    let begun = chapters.filter { $0.startSeconds <= position }
    // If two begin together, the later one in the list wins.
    let last = begun.indices.max { begun[$0].startSeconds < begun[$1].startSeconds }
    return last.map { (begun.count, begun[$0]) }
  }
}
