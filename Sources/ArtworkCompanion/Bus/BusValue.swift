/// A value in a D-Bus message, within limits: long texts are cut, and values that are too deep or irrelevant to players are
/// ``omitted``.
package indirect enum BusValue: Sendable, Equatable {
  case boolean(Bool)
  /// Any of the integers; an unsigned one above `Int64.max` is omitted.
  case integer(Int64, IntegerType)
  case double(Double)
  case string(String)
  case objectPath(String)
  case variant(BusValue)
  /// - Parameter elements: their type's signature, which an empty array needs as well.
  case array([BusValue], elements: String)
  /// `a{sv}`, without the variants around its values. Of two equal keys the first counts.
  case dictionary([String: BusValue])
  case structure([BusValue])
  case omitted

  /// The integers of D-Bus, by their codes.
  package enum IntegerType: Character, Sendable {
    case byte = "y"
    case int16 = "n"
    case uint16 = "q"
    case int32 = "i"
    case uint32 = "u"
    case int64 = "x"
    case uint64 = "t"
  }

  /// The limits on reading a message.
  package enum Limits {
    /// Bytes of a text: far more than a title, and than the longest path in a URL.
    package static let text = 16 << 10
    /// Bytes of the text after ``pictureKey`` in a dictionary: one more than the largest picture in a `data:` URL.
    package static let picture = ArtworkLookup.longestDataURL + 1
    package static let pictureKey = "mpris:artUrl"
    /// Containers in each other. MPRIS needs three.
    package static let depth = 8
    /// Elements of one array or dictionary.
    package static let elements = 512
    /// Values of one message.
    package static let values = 4096
  }
}

extension BusValue {
  package static func int32(_ value: Int32) -> BusValue { .integer(Int64(value), .int32) }
  package static func uint32(_ value: UInt32) -> BusValue { .integer(Int64(value), .uint32) }
  package static func int64(_ value: Int64) -> BusValue { .integer(value, .int64) }
  package static func strings(_ values: [String]) -> BusValue {
    .array(values.map(BusValue.string), elements: "s")
  }

  /// The content of a variant; any other value is its own content.
  package var content: BusValue {
    if case .variant(let value) = self { value.content } else { self }
  }

  package var boolean: Bool? { if case .boolean(let value) = content { value } else { nil } }

  /// A number of any type; players disagree on which.
  package var number: Double? {
    switch content {
    case .integer(let value, _): Double(value)
    case .double(let value) where value.isFinite: value
    default: nil
    }
  }

  /// A string or an object path, unless it is empty.
  package var text: String? {
    switch content {
    case .string(let text), .objectPath(let text): text.isEmpty ? nil : text
    default: nil
    }
  }

  /// The texts of an array, or a single text: players disagree on artists.
  package var texts: [String] {
    if case .array(let values, _) = content { return values.compactMap(\.text) }
    return text.map { [$0] } ?? []
  }

  package var dictionary: [String: BusValue]? {
    if case .dictionary(let values) = content { values } else { nil }
  }

  /// The type in D-Bus notation; `nil` for a value that cannot be sent.
  package var signature: String? {
    switch self {
    case .boolean: return "b"
    case .integer(_, let type): return String(type.rawValue)
    case .double: return "d"
    case .string: return "s"
    case .objectPath: return "o"
    case .variant: return "v"
    case .array(_, let elements): return "a" + elements
    case .dictionary: return "a{sv}"
    case .structure(let fields):
      let types = fields.compactMap(\.signature)
      return types.count == fields.count ? "(" + types.joined() + ")" : nil
    case .omitted: return nil
    }
  }
}
