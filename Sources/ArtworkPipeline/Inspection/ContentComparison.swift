import ArtworkModel
import SystemPackage

/// Which videos under one artworkID hold different bytes, and which under different ones the same.
struct ContentComparison {
  /// By candidate: an earlier one of the same artworkID and key that holds other bytes.
  private(set) var contradictions: [Int: Int] = [:]
  /// By candidate: an earlier one of another artworkID that holds the same bytes.
  private(set) var repetitions: [Int: Int] = [:]

  private struct Claim: Hashable {
    var artworkID: String
    var key: ArtworkKey
  }

  private let candidates: [Candidate]
  private let digester: any ContentDigester
  private var digests: [Int: [UInt8]] = [:]

  init(_ candidates: [Candidate], _ releases: [Release], _ digester: any ContentDigester) {
    self.candidates = candidates
    self.digester = digester
    // Whoever cannot be opened gets an error of its own later.
    var sizes: [Int: Int64] = [:]
    var firstOfClaim: [Claim: Int] = [:]
    var firstOfSize: [Int64: [(candidate: Int, artworkID: String)]] = [:]
    let videos = releases.flatMap { release in release.videos.map { (release.artworkID, $0) } }
      .sorted { $0.1.candidate < $1.1.candidate }
    for (artworkID, video) in videos {
      let index = video.candidate
      guard let size = candidates[index].size else { continue }
      sizes[index] = size
      let claim = Claim(artworkID: artworkID, key: video.key)
      if let first = firstOfClaim[claim] {
        if !areVersions(first, index), sizes[first] != size || !areEqual(first, index) {
          contradictions[index] = first
        }
      } else {
        firstOfClaim[claim] = index
      }
      let others = firstOfSize[size, default: []].filter { $0.artworkID != artworkID }
      repetitions[index] = others.first { areEqual($0.candidate, index) }?.candidate
      firstOfSize[size, default: []].append((index, artworkID))
    }
  }

  /// A master beside what was made of it: `1x1.mov` and `1x1.mp4`.
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
  /// Bytes, of a file that could be inspected; opens nothing.
  fileprivate var size: Int64? {
    guard let size = FileStamp(of: path, beneath: folder)?.state.size, size > 0,
      size <= Limits().fileBytes
    else { return nil }
    return size
  }
}
