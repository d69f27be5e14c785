import Foundation
package import Testing

/// Inherently slow tests run completely in `Scripts/nightly` and in part in `Scripts/test`.
package enum Nightly {
  package static let isOn = ProcessInfo.processInfo.environment["ARTWORKD_NIGHTLY"] == "1"
  package static let absence: Comment = "runs in Scripts/nightly only"

  /// All elements at night; else about `count` of them, evenly spaced, with the first and the last.
  package static func some<Element>(_ count: Int, of all: [Element]) -> [Element] {
    guard !isOn, all.count > count, count > 1 else { return all }
    return (0..<count).map { all[$0 * (all.count - 1) / (count - 1)] }
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs in Scripts/nightly only.
  package static var nightly: Self { .enabled(if: Nightly.isOn, Nightly.absence) }
}
