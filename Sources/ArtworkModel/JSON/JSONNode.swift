/// A JSON value that keeps the order of its fields. rlottie reads a document from front to back and must see the type of a
/// shape before its contents, so a document is written in the order in which it was read.
package enum JSONNode: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONNode])
  case object([Field])

  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: JSONNode

    package init(name: String, value: JSONNode) {
      self.name = name
      self.value = value
    }
  }

  /// The field with this name; the last of several, as in most readers. Setting `nil` removes it, and a new field
  /// comes last. Has no effect on a value that is not an object.
  package subscript(_ name: String) -> JSONNode? {
    get {
      guard case .object(let fields) = self else { return nil }
      return fields.last { $0.name == name }?.value
    }
    set {
      guard case .object(var fields) = self else { return }
      // Not copied while it changes.
      self = .null
      if let newValue, let index = fields.lastIndex(where: { $0.name == name }) {
        fields[index].value = newValue
      } else {
        fields.removeAll { $0.name == name }
        if let newValue { fields.append(Field(name: name, value: newValue)) }
      }
      self = .object(fields)
    }
  }

  /// An element; `nil` beyond the end and for anything but a list. Setting `nil` does nothing.
  package subscript(_ index: Int) -> JSONNode? {
    get {
      guard case .list(let items) = self, items.indices.contains(index) else { return nil }
      return items[index]
    }
    set {
      guard case .list(var items) = self, items.indices.contains(index), let newValue else {
        return
      }
      self = .null
      items[index] = newValue
      self = .list(items)
    }
  }

  package var number: Double? { if case .number(let number) = self { number } else { nil } }
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The elements of a list; none of anything else.
  package var items: [JSONNode] { if case .list(let items) = self { items } else { [] } }
}

extension JSONNode {
  /// The shortest JSON text, in UTF-8. Whole numbers have no fraction.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let bool): bytes += (bool ? "true" : "false").utf8
    case .number(let number):
      if let whole = Int64(exactly: number) {
        bytes += "\(whole)".utf8
      } else {
        bytes += "\(number)".utf8
      }
    case .text(let text): Self.write(text, to: &bytes)
    case .list(let items):
      bytes.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        item.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let fields):
      bytes.append(UInt8(ascii: "{"))
      for (index, field) in fields.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(field.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        field.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONNode {
  /// This value, changed by a merge patch (RFC 7396): the fields of an object are changed one by one, `null` removes a
  /// field, and any other value replaces.
  package func merging(_ patch: JSONNode) -> JSONNode {
    guard case .object(let changes) = patch else { return patch }
    var merged = self
    if case .object = self {} else { merged = .object([]) }
    for change in changes {
      let former = merged[change.name] ?? .null
      merged[change.name] = change.value == .null ? nil : former.merging(change.value)
    }
    return merged
  }

  /// The merge patch that turns `former` into this value. Exact unless a field is `null`, which a merge patch cannot
  /// express.
  package func patch(of former: JSONNode) -> JSONNode {
    guard case .object(let fields) = self, case .object(let formerFields) = former else {
      return self
    }
    let removed = formerFields.filter { self[$0.name] == nil }
      .map { Field(name: $0.name, value: .null) }
    let changed = fields.filter { former[$0.name] != $0.value }
      .map { Field(name: $0.name, value: former[$0.name].map($0.value.patch) ?? $0.value) }
    return .object(removed + changed)
  }
}
