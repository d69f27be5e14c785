/// How a configuration writes the limits of rules.
extension RuleSetting {
  /// A change of a profile.
  package typealias Change = @Sendable (inout Profile) -> Void

  var shape: ValueShape {
    switch place {
    case .words: .list(.text(TextForm("a word") { !$0.isEmpty }))
    case .wordsLimit: .list(.text(TextForm("words, or `none`") { !$0.isEmpty }))
    case .flag:
      .text(
        TextForm(
          "`true` or `false`", pattern: "^(true|false|yes|no|on|off)$", alternatives: [.boolean]
        ) {
          Self.flag($0) != nil
        })
    case .number(_, let unit): .text(Self.number(unit, isLiftable: false))
    case .limit(_, let unit): .text(Self.number(unit, isLiftable: true))
    case .count: .text(Self.count(isLiftable: false))
    case .countLimit: .text(Self.count(isLiftable: true))
    case .large(_, let unit): .text(Self.large(unit))
    case .rate: .text(Self.rate)
    case .rates: .list(.text(Self.rate))
    }
  }

  private static var rate: TextForm {
    TextForm(
      "frames a second such as 60, 23.976 or 30000/1001, or `none`",
      pattern: #"^([0-9]+(\.[0-9]+)?|[0-9]+/[0-9]+|none)$"#, alternatives: [.number]
    ) {
      $0 == none || Quantity.rate($0) != nil
    }
  }

  private static func number(_ unit: String, isLiftable: Bool) -> TextForm {
    let example =
      unit == "%" ? "a share such as 0.5 % or 0.005" : "a number such as 4 \(unit)".trimmed
    let unitPattern = unit.isEmpty ? "" : "( *\(escaped(unit)))?"
    return TextForm(
      example + (isLiftable ? ", or `none`" : ""),
      pattern: #"^[0-9]+(\.[0-9]+)?"# + unitPattern + (isLiftable ? "$|^none$" : "$"),
      alternatives: [.number]
    ) { text in
      if isLiftable, text == none || Quantity.number(text, unit: unit) != nil { return nil }
      if Quantity.number(text, unit: unit) != nil { return nil }
      guard unit == "%", Quantity.number(text) != nil else { return "" }
      return "a share above 1; did you mean `\(text) %`?"
    }
  }

  private static func count(isLiftable: Bool) -> TextForm {
    TextForm(
      isLiftable ? "a whole number, or `none`" : "a whole number",
      pattern: isLiftable ? "^([0-9]+|none)$" : "^[0-9]+$", alternatives: [.integer]
    ) { isLiftable && $0 == none || Quantity.count($0) != nil }
  }

  private static func large(_ unit: String) -> TextForm {
    let example = ["B": "400MB", "bit/s": "20 Mbit/s", "px/s": "500 Mpx/s"][unit] ?? "20 M\(unit)"
    return TextForm(
      "a number such as \(example), or `none`",
      pattern: #"^[0-9]+(\.[0-9]+)?( *([kKMGT]i?)?\#(escaped(unit)))?$|^none$"#,
      alternatives: [.number]
    ) {
      $0 == none || Quantity.large($0, unit: unit) != nil
    }
  }

  private static func escaped(_ unit: String) -> String {
    unit.map { $0.isLetter || $0.isNumber || $0 == "%" || $0 == "/" ? "\($0)" : "\\\($0)" }.joined()
  }

  private static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }

  /// The change that a value of the right shape makes; `nil` for another.
  func change(to value: YAMLValue) -> Change? {
    guard let change = plainChange(to: value) else { return nil }
    guard let replaced, value.text != Self.none else { return change }
    return { profile in
      profile[keyPath: replaced] = nil
      change(&profile)
    }
  }

  private func plainChange(to value: YAMLValue) -> Change? {
    let words = value.items.compactMap(\.text)
    let text = value.text ?? ""
    let isNone = text == Self.none
    switch place {
    case .number(let path, let unit):
      return Quantity.number(text, unit: unit).map { Self.set(path, to: $0) }
    case .limit(let path, let unit):
      if isNone { return Self.set(path, to: nil) }
      return Quantity.number(text, unit: unit).map { Self.set(path, to: $0) }
    case .count(let path):
      return Quantity.count(text).map { Self.set(path, to: $0) }
    case .countLimit(let path):
      if isNone { return Self.set(path, to: nil) }
      return Quantity.count(text).map { Self.set(path, to: $0) }
    case .large(let path, let unit):
      if isNone { return Self.set(path, to: nil) }
      return Quantity.large(text, unit: unit).map { Self.set(path, to: $0) }
    case .rate(let path):
      if isNone { return Self.set(path, to: nil) }
      return Quantity.rate(text).map { Self.set(path, to: $0) }
    case .rates(let path):
      if words == [Self.none] { return Self.set(path, to: nil) }
      let rates = words.compactMap(Quantity.rate)
      guard !rates.isEmpty, rates.count == words.count else { return nil }
      return Self.set(path, to: rates.sorted())
    case .words(let path):
      return words.isEmpty ? nil : Self.set(path, to: words)
    case .wordsLimit(let path):
      if words.isEmpty { return nil }
      return Self.set(path, to: words == [Self.none] ? nil : words)
    case .flag(let path):
      return Self.flag(text).map { Self.set(path, to: $0) }
    }
  }

  private static func set<Value: Sendable>(
    _ path: any WritableKeyPath<Profile, Value> & Sendable, to value: Value
  ) -> Change {
    { profile in profile[keyPath: path] = value }
  }
}
