/// A limit of a rule that a configuration can change, with its name there and its place in a profile.
package struct RuleSetting: Sendable {
  package typealias Place<Value> = any WritableKeyPath<Profile, Value> & Sendable
  /// A change of a profile.
  package typealias Change = @Sendable (inout Profile) -> Void

  /// The setting's name, for example `at-most`.
  package let name: String
  let shape: ValueShape
  private let written: @Sendable (Profile) -> String
  private let change: @Sendable (YAMLValue) -> Change?

  /// The value that removes an optional limit.
  package static let none = "none"

  /// A limit that always applies.
  init<Value>(_ name: String, _ place: Place<Value>, _ format: ValueFormat<Value>) {
    self.name = name
    shape = format.shape
    written = { format.written($0[keyPath: place]) }
    change = { value in
      guard let limit = format.read(value) else { return nil }
      return { profile in profile[keyPath: place] = limit }
    }
  }

  /// A limit that `none` removes.
  ///
  /// - Parameter replaced: the limit that this one replaces when a configuration sets it.
  init<Value>(
    _ name: String, _ place: Place<Value?>, _ format: ValueFormat<Value>,
    replacing replaced: Place<Double?>? = nil
  ) {
    self.name = name
    shape = format.shape.orNone
    written = { $0[keyPath: place].map(format.written) ?? Self.none }
    change = { value in
      if value.items.compactMap(\.text) == [Self.none] {
        return { profile in profile[keyPath: place] = nil }
      }
      guard let limit = format.read(value) else { return nil }
      return { profile in
        if let replaced { profile[keyPath: replaced] = nil }
        profile[keyPath: place] = limit
      }
    }
  }

  /// The value in a profile, as a configuration writes it.
  package func value(in profile: Profile) -> String { written(profile) }

  /// The change that a value of the right shape makes; `nil` for another.
  func change(to value: YAMLValue) -> Change? { change(value) }
}

extension ValueShape {
  /// The shape of a limit that `none` removes.
  fileprivate var orNone: ValueShape {
    switch self {
    case .text(let form):
      .text(
        TextForm(
          form.expected + ", or `none`", pattern: form.pattern.map { "\($0)|^none$" },
          alternatives: form.alternatives
        ) { $0 == RuleSetting.none ? nil : form.fault($0) })
    case .list(let item): .list(item.orNone)
    case .word, .map, .named, .either: self
    }
  }
}
