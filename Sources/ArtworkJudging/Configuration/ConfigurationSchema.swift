/// The JSON Schema of `artwork.yml`, for editors: made from the table that checks files.
package enum ConfigurationSchema {
  /// The document, which ends with a line end and does not vary from run to run.
  package static let document: String =
    JSONText.object(
      [
        ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
        ("title", .text("artwork.yml, the configuration of artworkd")),
        ("$comment", .text("Written by `artworkd explain artwork.schema.json`.")),
      ] + entries(of: ConfigurationKeys.root)
        + [
          (
            "$defs",
            .object([("rules", .object(entries(of: ConfigurationKeys.rules)))])
          )
        ]
    ).rendered() + "\n"

  private static func schema(of shape: ValueShape) -> JSONText { .object(entries(of: shape)) }

  private static func entries(of shape: ValueShape) -> [(String, JSONText)] {
    switch shape {
    case .word(let words):
      // `off` is a boolean to readers of YAML 1.1.
      return [
        ("enum", .list(words.map(JSONText.text) + (words.contains("off") ? [.bool(false)] : [])))
      ]
    case .text(let form): return entries(of: form)
    case .list(let item):
      let list = JSONText.object([("type", .text("array")), ("items", schema(of: item))])
      if case .map = item { return [("anyOf", .list([.object([("type", .text("null"))]), list]))] }
      return [("anyOf", .list([schema(of: item), list, null]))]
    case .map(let keys, _):
      var properties = keys.map { key in (key.name, property(key)) }
      // YAML's own key for a mapping that is taken over; readers resolve it before they validate.
      properties.append(("<<", .object([])))
      let required = keys.filter(\.isRequired).map(\.name)
      return [("type", .words(required.isEmpty ? ["object", "null"] : ["object"]))]
        + (required.isEmpty ? [] : [("required", .words(required))])
        + [("properties", .object(properties)), ("additionalProperties", .bool(false))]
    case .named(let value, let form):
      return [
        ("type", .words(["object", "null"])),
        ("propertyNames", .object([("pattern", .text(form.pattern ?? ""))])),
        ("additionalProperties", schema(of: value)),
      ]
    case .either(let scalar, let map):
      return [("anyOf", .list([schema(of: scalar), schema(of: map)]))]
    }
  }

  private static let null = JSONText.object([("type", .text("null"))])

  private static func property(_ key: ConfigurationKey) -> JSONText {
    // Long, and used at three places.
    if key.name == "rules" {
      return .object([("description", .text(key.summary)), ("$ref", .text("#/$defs/rules"))])
    }
    return .object([("description", .text(key.summary))] + orNothing(key.shape))
  }

  /// A key whose value is commented out is as good as none.
  private static func orNothing(_ shape: ValueShape) -> [(String, JSONText)] {
    switch shape {
    case .word, .text, .either: [("anyOf", .list([schema(of: shape), null]))]
    case .list, .map, .named: entries(of: shape)
    }
  }

  private static func entries(of form: TextForm) -> [(String, JSONText)] {
    let text: [(String, JSONText)] =
      [("type", .text("string"))] + (form.pattern.map { [("pattern", .text($0))] } ?? [])
    let others = form.alternatives.map(\.rawValue).sorted().map { type in
      JSONText.object(
        [("type", .text(type))] + (type == "boolean" ? [] : [("minimum", .number(0))]))
    }
    return others.isEmpty ? text : [("anyOf", .list([.object(text)] + others))]
  }
}
