/// The names that lead to a part of an animation or to one of its properties, from the outermost layer inwards, as in
/// `Layer 1.Group 1.Fill 1.Color`.
///
/// `*` matches one name and `**` any number of names, including none. A backslash escapes a dot or a backslash. Names
/// of layers and shapes are case-sensitive. In names of properties, case, spaces, hyphens and underscores are
/// ignored: `strokeWidth` is `Stroke Width`.
public struct AnimationKeypath: Sendable, Hashable, Codable, CustomStringConvertible {
  public var keys: [String]

  public init(_ keys: [String]) { self.keys = keys }

  public init(keypath: String) {
    var keys = [""]
    var isEscaped = false
    for character in keypath {
      if isEscaped || character != "." && character != "\\" {
        keys[keys.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        keys.append("")
      }
    }
    self.keys = keys
  }

  public var description: String {
    keys.map { key in
      key.reduce(into: "") { text, character in
        if character == "." || character == "\\" { text.append("\\") }
        text.append(character)
      }
    }.joined(separator: ".")
  }

  /// Whether it leads to the element with these names.
  func matches(_ names: [String]) -> Bool { Self.match(keys[...], names) }

  /// Whether it leads to a property of the element with these names.
  func matches(_ names: [String], property: String) -> Bool {
    guard let last = keys.last else { return false }
    // A property is named, or `*`.
    guard last == "*" || Self.simple(last) == Self.simple(property) else { return false }
    return Self.match(keys.dropLast(), names)
  }

  private static func match(
    _ keys: ArraySlice<String>, _ names: [String]
  ) -> Bool {
    // The positions in the names that the keys so far reach: no key visits a name twice.
    var reached = Array(repeating: false, count: names.count + 1)
    reached[0] = true
    for key in keys {
      var next = Array(repeating: false, count: reached.count)
      for place in reached.indices {
        if key == "**" {
          next[place] = reached[place] || place > 0 && next[place - 1]
        } else if place > 0, reached[place - 1], key == "*" || key == names[place - 1] {
          next[place] = true
        }
      }
      reached = next
    }
    return reached[names.count]
  }

  static func simple(_ name: String) -> String {
    name.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
  }
}
