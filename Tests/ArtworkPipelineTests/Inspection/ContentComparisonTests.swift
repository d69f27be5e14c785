@testable import ArtworkPipeline

@Suite struct ContentComparisonTests {
  @Test func `only files of one size whose samples are alike are read to the end`() {
    let videos = (0..<6).map { ContentComparison.Video(candidate: $0, artwork: $0, key: .square, size: $0 < 5 ? 1000 : 2000) }
    let contents = ["a", "b", "c", "a", "b2", "a"]
    var read: Set<Int> = []
    let comparison = ContentComparison(
      videos, areVersions: { _, _ in false }, sample: { [contents[$0].utf8.first ?? 0] },
      digest: { candidate -> String? in
        read.insert(candidate)
        return contents[candidate]
      })
    #expect(comparison.repetitions == [3: 0])
    // c has a size that others have, and begins like none of them; the last one has another size.
    #expect(read == [0, 1, 3, 4])
  }
}
