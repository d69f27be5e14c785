/// A pattern for paths below a folder. `*` and `?` match within a name, `**` crosses folders, `[a-z]` and `[!a-z]`
/// are classes, `\` escapes the next character. A pattern without a slash matches names at any depth, and one that
/// ends with a slash everything below that folder. Matching is case-sensitive.
package struct PathPattern: Sendable, Hashable {
  package let text: String
  private let parts: [Part]

  private enum Part: Sendable, Hashable {
    /// `**`
    case folders
    case name([Symbol])
  }

  fileprivate enum Symbol: Sendable, Hashable {
    case letter(Unicode.Scalar)
    case anyLetter
    case anyLetters
    case letters([ClosedRange<Unicode.Scalar>], inverted: Bool)
  }

  /// A path as patterns see it: letters of its names below the folder. Bytes that are not UTF-8 count as letters.
  package struct Path: Sendable {
    fileprivate let names: [[Unicode.Scalar]]

    package init(_ path: FilePath) {
      names = path.components.map { Array($0.string.unicodeScalars) }
    }

    private init(names: ArraySlice<[Unicode.Scalar]>) { self.names = Array(names) }

    /// The path, and each folder that it lies in.
    var andFoldersAbove: [Path] {
      names.indices.reversed().map { Path(names: names[...$0]) }
    }
  }

  /// Why a text is not a pattern, for messages.
  enum Fault: Error {
    case empty
    case leadsOut
    case openClass
    case endsWithEscape

    var description: String {
      switch self {
      case .empty: "an empty pattern matches nothing"
      case .leadsOut: "a pattern is relative to the folder of the file and cannot hold `..`"
      case .openClass: "`[` opens a class that no `]` closes; write `\\[` for the letter itself"
      case .endsWithEscape: "nothing follows the `\\` at the end"
      }
    }
  }

  /// A text that is not a pattern, and the reason.
  package struct Invalid: Error, CustomStringConvertible {
    package let description: String
  }

  static func read(_ text: String) throws(Invalid) -> PathPattern {
    do throws(Fault) {
      return try PathPattern(text)
    } catch {
      throw Invalid(description: "'\(text)' is no pattern: \(error.description)")
    }
  }

  init(_ text: String) throws(Fault) {
    self.text = text
    var names = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isFolder = names.count > 1 && names.last == ""
    names.removeAll { $0 == "" || $0 == "." }
    if names.isEmpty { throw .empty }
    if names.contains("..") { throw .leadsOut }
    if !text.contains("/") || isFolder && names.count == 1 && !text.hasPrefix("/") {
      names.insert("**", at: 0)
    }
    if isFolder { names.append("**") }
    var parts: [Part] = []
    for name in names {
      if name == "**" {
        if parts.last != .folders { parts.append(.folders) }
      } else {
        parts.append(.name(try Self.symbols(of: name)))
      }
    }
    self.parts = parts
  }

  private static func symbols(of name: String) throws(Fault) -> [Symbol] {
    var symbols: [Symbol] = []
    var rest = Array(name.unicodeScalars)[...]
    while let letter = rest.popFirst() {
      switch letter {
      case "*": if symbols.last != .anyLetters { symbols.append(.anyLetters) }
      case "?": symbols.append(.anyLetter)
      case "[": symbols.append(try letterClass(&rest))
      case "\\":
        guard let next = rest.popFirst() else { throw .endsWithEscape }
        symbols.append(.letter(next))
      default: symbols.append(.letter(letter))
      }
    }
    return symbols
  }

  /// Parses a class after `[`.
  private static func letterClass(_ rest: inout ArraySlice<Unicode.Scalar>) throws(Fault) -> Symbol {
    var inverted = false
    if let first = rest.first, first == "!" || first == "^" {
      inverted = true
      rest.removeFirst()
    }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var isFirst = true
    while var letter = rest.popFirst() {
      // The first one may be a bracket itself.
      if letter == "]", !isFirst { return .letters(ranges, inverted: inverted) }
      isFirst = false
      if letter == "\\" {
        guard let next = rest.popFirst() else { throw .openClass }
        letter = next
      }
      var last = letter
      if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
        rest.removeFirst(2)
        last = end
      }
      // Backwards, it holds nothing.
      if letter <= last { ranges.append(letter...last) }
    }
    throw .openClass
  }

  /// Whether a path fits. Time grows with the length of the path times that of the pattern.
  package func matches(_ path: Path) -> Bool {
    Self.fits(
      parts, path.names, isWildcard: { $0 == .folders },
      fitsOne: { part, name in
        guard case .name(let symbols) = part else { return false }
        return Self.fits(
          symbols, name, isWildcard: { $0 == .anyLetters }, fitsOne: { $0.fits($1) })
      }, trailingWildcardNeedsOne: true)
  }

  /// Greedy: only the last wildcard has to be retried, because the match of an earlier one can be shifted to it. So
  /// nothing is exponential.
  private static func fits<Wanted, Item>(
    _ pattern: [Wanted], _ items: [Item], isWildcard: (Wanted) -> Bool,
    fitsOne: (Wanted, Item) -> Bool, trailingWildcardNeedsOne: Bool = false
  ) -> Bool {
    var (p, i) = (0, 0)
    var retry: (pattern: Int, item: Int)?
    while i < items.count {
      if p < pattern.count, isWildcard(pattern[p]) {
        retry = (p + 1, i)
        p += 1
        // `a/**` matches the contents of the folder, not the folder.
        if trailingWildcardNeedsOne, p == pattern.count { return true }
      } else if p < pattern.count, fitsOne(pattern[p], items[i]) {
        p += 1
        i += 1
      } else if let last = retry {
        retry = (last.pattern, last.item + 1)
        (p, i) = (last.pattern, last.item + 1)
      } else {
        return false
      }
    }
    if trailingWildcardNeedsOne { return p == pattern.count }
    return pattern[p...].allSatisfy(isWildcard)
  }
}

extension PathPattern.Symbol {
  fileprivate func fits(_ letter: Unicode.Scalar) -> Bool {
    switch self {
    case .letter(let own): own == letter
    case .anyLetter: true
    case .anyLetters: false
    case .letters(let ranges, let inverted): ranges.contains { $0.contains(letter) } != inverted
    }
  }
}
