/// Any JSON value, for changes of documents by merge patches (RFC 7396).
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package subscript(_ name: String) -> JSONValue? {
    if case .object(let fields) = self { fields[name] } else { nil }
  }

  /// This value, changed by a merge patch: the fields of an object are changed one by one, `null` removes a field, and any
  /// other value replaces.
  package func merging(_ patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var fields: [String: JSONValue] = if case .object(let fields) = self { fields } else { [:] }
    for (name, change) in changes {
      fields[name] = change == .null ? nil : (fields[name] ?? .null).merging(change)
    }
    return .object(fields)
  }

  /// The merge patch that turns `former` into this value. Exact unless a field is `null`, which a merge patch cannot
  /// express.
  package func patch(of former: JSONValue) -> JSONValue {
    guard case .object(let fields) = self, case .object(let formerFields) = former else {
      return self
    }
    var changes: [String: JSONValue] = formerFields.filter { fields[$0.key] == nil }
      .mapValues { _ in .null }
    for (name, value) in fields where formerFields[name] != value {
      changes[name] = formerFields[name].map { value.patch(of: $0) } ?? value
    }
    return .object(changes)
  }
}

extension JSONValue: Codable {
  package init(from decoder: any Decoder) throws {
    if let fields = try? decoder.container(keyedBy: FieldName.self) {
      self = .object(
        try Dictionary(
          uniqueKeysWithValues: fields.allKeys.map {
            ($0.stringValue, try fields.decode(JSONValue.self, forKey: $0))
          }))
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try value.decode([JSONValue].self))
    } else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "it is a number or a text that cannot be read")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    if case .object(let fields) = self {
      var container = encoder.container(keyedBy: FieldName.self)
      for (name, value) in fields {
        try container.encode(value, forKey: FieldName(stringValue: name))
      }
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null, .object: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .array(let values): try container.encode(values)
    }
  }
}
