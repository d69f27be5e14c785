/// A value that a configuration can change, with its name there and its place in a profile or in the limits.
package struct Setting<Root>: Sendable {
  package typealias Place<Value> = any WritableKeyPath<Root, Value> & Sendable
  package typealias Change = @Sendable (inout Root) -> Void

  /// The setting's name, for example `at-most`.
  package let name: String
  let shape: ValueShape
  private let written: @Sendable (Root) -> String
  private let read: @Sendable (YAMLValue) -> Change?

  /// A value that always applies.
  ///
  /// - Parameter also: what else changes with it.
  init<Value>(
    _ name: String, _ place: Place<Value>, _ format: ValueFormat<Value>,
    also: @escaping @Sendable (inout Root, Value) -> Void = { _, _ in }
  ) {
    self.name = name
    shape = format.shape
    written = { format.written($0[keyPath: place]) }
    read = { yaml in
      guard let value = format.read(yaml) else { return nil }
      return { root in
        root[keyPath: place] = value
        also(&root, value)
      }
    }
  }

  /// A limit that `none` removes.
  ///
  /// - Parameter also: what else changes with another value.
  init<Value>(
    _ name: String, _ place: Place<Value?>, _ format: ValueFormat<Value>,
    also: @escaping @Sendable (inout Root, Value) -> Void = { _, _ in }
  ) {
    self.init(name, place, format.orNone) { root, value in
      if let value { also(&root, value) }
    }
  }

  /// The accepted values, for messages.
  package var expected: String { shape.expected }

  /// The value in a profile or in the limits, as a configuration writes it.
  package func value(in root: Root) -> String { written(root) }

  /// The change that a value of the right shape makes; `nil` for another.
  func change(to value: YAMLValue) -> Change? { read(value) }

  /// The change that a word of a command line makes; `nil` for one that is not allowed.
  package func change(to text: String) -> Change? {
    read(
      YAMLValue(content: .scalar(text, isPlain: false), place: SourcePlace(line: 1, column: 1)))
  }
}

/// A limit of a rule.
package typealias RuleSetting = Setting<Profile>

extension Limits {
  /// The limits on one file as `--limit NAME=VALUE` and the configuration write them, in the order of the documents.
  package static let settings: [Setting<Limits>] = [
    Setting("file-size", \.fileBytes, .bytes("a size such as 4GiB or 400MB")),
    Setting("pixels", \.pixels, .pixels),
    Setting("duration", \.durationSeconds, .seconds(such: "90s or 10m")),
    Setting("frames", \.frames, .positive),
    Setting("streams", \.streams, .positive),
    Setting("cpu", \.cpuSeconds, .seconds(such: "60s")) { $0.cpuSecondsForEverything = $1 },
    // Less than a worker has available when it starts would change nothing.
    Setting(
      "memory", \.memoryBytes, .bytes("a size of at least 128MiB, such as 2GiB", atLeast: 128 << 20)
    ),
  ]
}
