/// A name by which albums are compared: lower case, without accents, and with single spaces for everything but letters and
/// digits. `Sigur Rós – ( )` and `sigur ros` are equal.
struct FoldedName: Hashable, Sendable {
  let text: String

  /// `nil` for a name without a letter or digit.
  init?(_ name: String) {
    var words: [String] = []
    var word = ""
    for character in name.lowercased() {
      if character.isLetter || character.isNumber {
        word += Self.plain[character] ?? String(character)
      } else if !Self.joiners.contains(character), !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    if !word.isEmpty { words.append(word) }
    guard !words.isEmpty else { return nil }
    text = words.joined(separator: " ")
  }

  /// Apostrophes, which folder names often lack.
  private static let joiners: Set<Character> = ["'", "’", "`", "´"]

  /// Latin letters with one diacritic, mapped to the plain letter. Swift compares characters by their canonical form,
  /// so one entry covers both encodings of a letter.
  private static let plain: [Character: String] = {
    var plain: [Character: String] = [
      "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
    ]
    // Combining marks: grave, acute, circumflex, tilde, macron, breve, dot, diaeresis, ring, double acute, caron, comma
    // below, cedilla, ogonek, dot below.
    let marks: [Unicode.Scalar] = [
      "\u{300}", "\u{301}", "\u{302}", "\u{303}", "\u{304}", "\u{306}", "\u{307}", "\u{308}",
      "\u{30A}", "\u{30B}", "\u{30C}", "\u{326}", "\u{327}", "\u{328}", "\u{323}",
    ]
    for letter in "abcdefghijklmnopqrstuvwxyz" {
      for mark in marks {
        var text = String(letter)
        text.unicodeScalars.append(mark)
        if let character = text.first { plain[character] = String(letter) }
      }
    }
    return plain
  }()
}
