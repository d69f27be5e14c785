import ArtworkModel
import SystemPackage

/// Finds videos with one artworkID and different bytes, and videos with the same bytes and different artworkIDs.
struct ContentComparison {
  /// By candidate: an earlier one of the same artworkID and key that holds other bytes.
  private(set) var contradictions: [Int: Int] = [:]
  /// By candidate: an earlier one of another artworkID that holds the same bytes.
  private(set) var repetitions: [Int: Int] = [:]

  private struct Claim: Hashable {
    var artworkID: String
    var key: ArtworkKey
  }

  private struct Video {
    var candidate: Int
    var artworkID: String
  }

  private let candidates: [Candidate]
  private let digester: any ContentDigester
  private var digests: [Int: [UInt8]] = [:]

  init(_ candidates: [Candidate], _ releases: [Release], _ digester: any ContentDigester) {
    self.candidates = candidates
    self.digester = digester
    let videos = releases.flatMap { release in
      release.videos.map { video in
        (key: video.key, Video(candidate: video.candidate, artworkID: release.artworkID))
      }
    }
    .sorted { $0.1.candidate < $1.1.candidate }
    // A file that cannot be opened gets an error of its own later.
    var sizes: [Int: Int64] = [:]
    var firstOfClaim: [Claim: Int] = [:]
    var videosOfSize: [Int64: [Video]] = [:]
    for (key, video) in videos {
      let index = video.candidate
      guard let size = candidates[index].size else { continue }
      sizes[index] = size
      let claim = Claim(artworkID: video.artworkID, key: key)
      if let first = firstOfClaim[claim] {
        if !areVersions(first, index), sizes[first] != size || !areEqual(first, index) {
          contradictions[index] = first
        }
      } else {
        firstOfClaim[claim] = index
      }
      videosOfSize[size, default: []].append(video)
    }
    for videos in videosOfSize.values { noteRepetitions(videos) }
  }

  /// - Parameter videos: all of one size, in the order of the candidates.
  private mutating func noteRepetitions(_ videos: [Video]) {
    guard let first = videos.first, videos.contains(where: { $0.artworkID != first.artworkID })
    else { return }
    /// The first with these bytes, and the first of those that has another artworkID.
    var known: [[UInt8]: (first: Video, other: Video?)] = [:]
    for video in videos {
      guard let digest = digest(video.candidate) else { continue }
      guard let same = known[digest] else {
        known[digest] = (video, nil)
        continue
      }
      if same.first.artworkID != video.artworkID {
        repetitions[video.candidate] = same.first.candidate
        if same.other == nil { known[digest]?.other = video }
      } else if let other = same.other {
        repetitions[video.candidate] = other.candidate
      }
    }
  }

  /// A master beside its export: `1x1.mov` and `1x1.mp4`.
  private func areVersions(_ one: Int, _ other: Int) -> Bool {
    var (first, second) = (candidates[one].path, candidates[other].path)
    guard first.extension != second.extension else { return false }
    (first.extension, second.extension) = (nil, nil)
    return first == second
  }

  private mutating func areEqual(_ one: Int, _ other: Int) -> Bool {
    guard let first = digest(one), let second = digest(other) else { return false }
    return first == second
  }

  private mutating func digest(_ candidate: Int) -> [UInt8]? {
    if let known = digests[candidate] { return known }
    let digest = digester.digest(of: candidates[candidate])
    digests[candidate] = digest
    return digest
  }
}

extension Candidate {
  /// In bytes, from the file's status; `nil` for files that cannot be inspected.
  fileprivate var size: Int64? {
    guard let size = FileStamp(of: path, beneath: folder)?.state.size, size > 0,
      size <= Limits().fileBytes
    else { return nil }
    return size
  }
}
