/// Finds videos with one artworkID and different bytes, and videos with the same bytes and different artworkIDs.
///
/// Knows the videos only by numbers, so that a catalogue of a million files can be compared.
struct ContentComparison {
  struct Video {
    /// Its place among all candidates.
    var candidate: Int
    /// A number for the artworkID.
    var artwork: Int
    var key: ArtworkKey
    /// Bytes, at least 1.
    var size: Int64
  }

  /// Maps a candidate to an earlier one of the same artworkID and key that holds other bytes.
  private(set) var contradictions: [Int: Int] = [:]
  /// Maps a candidate to an earlier one of another artworkID that holds the same bytes.
  private(set) var repetitions: [Int: Int] = [:]

  private struct Claim: Hashable {
    var artwork: Int
    var key: ArtworkKey
  }

  /// - Parameters:
  ///   - videos: in the order of the candidates. Those of no size, and larger ones than ``Limits`` allow, are not
  ///     compared: leave them out.
  ///   - areVersions: whether two are a master and its export: `1x1.mov` and `1x1.mp4`.
  ///   - sample: stands for a few of the bytes of a candidate, called only if another one has the same size.
  ///   - digest: of all bytes of a candidate; called only if another one has the same size and sample. `nil` if it
  ///     cannot be read.
  init<Digest: Hashable>(
    _ videos: [Video], areVersions: (Int, Int) -> Bool, sample: (Int) -> [UInt8]? = { _ in nil },
    digest: (Int) -> Digest?
  ) {
    var firstOfClaim: [Claim: Video] = [:]
    for video in videos {
      let claim = Claim(artwork: video.artwork, key: video.key)
      guard let first = firstOfClaim[claim] else {
        firstOfClaim[claim] = video
        continue
      }
      func areEqual() -> Bool {
        guard first.size == video.size, sample(first.candidate) == sample(video.candidate),
          let one = digest(first.candidate),
          let other = digest(video.candidate)
        else { return false }
        return one == other
      }
      if !areVersions(first.candidate, video.candidate), !areEqual() {
        contradictions[video.candidate] = first.candidate
      }
    }
    let bySize = videos.sorted { ($0.size, $0.candidate) < ($1.size, $1.candidate) }
    var start = 0
    while start < bySize.count {
      let end = bySize[start...].firstIndex { $0.size != bySize[start].size } ?? bySize.count
      let videos = bySize[start..<end]
      if let first = videos.first, videos.contains(where: { $0.artwork != first.artwork }) {
        for alike in Dictionary(grouping: videos, by: { sample($0.candidate) }).values {
          recordRepetitions(alike, digest)
        }
      }
      start = end
    }
  }

  /// - Parameter videos: all of one size and sample, in the order of the candidates.
  private mutating func recordRepetitions<Digest: Hashable>(
    _ videos: [Video], _ digest: (Int) -> Digest?
  ) {
    guard let first = videos.first, videos.contains(where: { $0.artwork != first.artwork })
    else { return }
    /// The first with these bytes, and the first of those that has another artworkID.
    var known: [Digest: (first: Video, other: Video?)] = [:]
    for video in videos {
      guard let digest = digest(video.candidate) else { continue }
      guard let same = known[digest] else {
        known[digest] = (video, nil)
        continue
      }
      if same.first.artwork != video.artwork {
        repetitions[video.candidate] = same.first.candidate
        if same.other == nil { known[digest]?.other = video }
      } else if let other = same.other {
        repetitions[video.candidate] = other.candidate
      }
    }
  }
}
