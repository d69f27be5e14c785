/// The known word that was probably meant.
package enum NearestWord {
  /// `; did you mean ...?`, or the known words if there are few, else an empty string.
  package static func suggestion(for word: String, among known: [String]) -> String {
    if let nearest = find(word, among: known) { return "; did you mean `\(nearest)`?" }
    guard (1...12).contains(known.count) else { return "" }
    return "; known: " + known.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The word with the smallest edit distance, if that is at most a third of its length (but at least 1): beyond that
  /// it would be another word. Otherwise one that the text is a prefix of. The first of several.
  package static func find(_ word: String, among known: [String]) -> String? {
    // Longer than any name: not worth a comparison.
    guard word.count <= 64 else { return nil }
    let written = simple(word)
    return
      known
      .map { (name: $0, distance: distance(written, simple($0))) }
      .filter { $0.distance <= max(1, $0.name.count / 3) }
      .min { $0.distance < $1.distance }?.name
      ?? known.first { written.count >= 4 && $0.contains(String(written)) }
  }

  /// `Audio_Track` is `audio-track` badly written.
  private static func simple(_ word: String) -> [Character] {
    word.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 }
  }

  /// Letters to be inserted, removed, replaced or swapped with their neighbour (optimal string alignment).
  static func distance(_ first: [Character], _ second: [Character]) -> Int {
    if first.isEmpty || second.isEmpty { return max(first.count, second.count) }
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var row = [i + 1]
      for (j, other) in second.enumerated() {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == second[j - 1], first[i - 1] == other {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[second.count]
  }
}
