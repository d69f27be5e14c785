/// The languages that a reader knows, the preferred one first, as in `Accept-Language` (RFC 9110, 12.5.4).
public struct ReaderLanguages: Sendable, Equatable {
  /// Languages of equal weight keep their order.
  public var tags: [LanguageTag]
  /// Whether any other language is better than nothing: `true` for an empty list, and with `*`.
  public var acceptsOthers: Bool
  /// Listed with a weight of 0.
  private var refused: Set<LanguageTag> = []

  /// - Parameter tags: empty if the reader's languages are unknown.
  public init(_ tags: [LanguageTag] = []) {
    self.tags = tags
    acceptsOthers = tags.isEmpty
  }

  /// Malformed parts of the field are skipped.
  ///
  /// - Parameter field: all values of the field, separated by commas; `nil` for no field.
  package init(acceptLanguage field: String?) {
    let ranges = (field ?? "").split(separator: ",").compactMap(Self.range)
    let wanted = ranges.filter { $0.weight > 0 }
    // The sort is stable.
    tags = wanted.sorted { $0.weight > $1.weight }.compactMap { LanguageTag($0.name) }
    acceptsOthers = wanted.isEmpty || wanted.contains { $0.name == "*" }
    refused = Set(ranges.filter { $0.weight == 0 }.compactMap { LanguageTag($0.name) })
  }

  private static func range(_ part: Substring) -> (name: String, weight: Double)? {
    let words = part.split(separator: ";", omittingEmptySubsequences: false).map { word in
      word.filter { $0 != " " && $0 != "\t" }
    }
    guard let name = words.first, name == "*" || LanguageTag(name) != nil else { return nil }
    guard words.count > 1 else { return (name, 1) }
    guard words.count == 2, words[1].lowercased().hasPrefix("q="),
      let weight = Double(words[1].dropFirst(2)), (0...1).contains(weight)
    else { return nil }
    return (name, weight)
  }

  /// The value of `Accept-Language`; `nil` if the reader's languages are unknown.
  package var acceptLanguage: String? {
    tags.isEmpty
      ? nil : (tags.map(\.text) + (acceptsOthers ? ["*;q=0.1"] : [])).joined(separator: ", ")
  }

  /// Chooses one item for each identifier, in the order of the identifiers' first items.
  public func choice(of items: [MetadataItem]) -> [MetadataItem] {
    var groups: [MetadataItem.Identifier: [MetadataItem]] = [:]
    var order: [MetadataItem.Identifier] = []
    for item in items where !refused.contains(item.language) {
      if groups[item.identifier] == nil { order.append(item.identifier) }
      groups[item.identifier, default: []].append(item)
    }
    return order.compactMap { groups[$0].flatMap(best) }
  }

  /// The lookup of RFC 4647, 3.4: tries each language in turn, truncated from its end until an item matches. The
  /// default is the item without a language, then one with a longer tag of a language, and then the first one for readers
  /// who accept any.
  private func best(of items: [MetadataItem]) -> MetadataItem? {
    for range in tags.flatMap(\.truncations) + [.undetermined] {
      if let item = items.first(where: { $0.language == range }) { return item }
    }
    for range in tags.flatMap(\.truncations) {
      if let item = items.first(where: { $0.language.extends(range) }) { return item }
    }
    return acceptsOthers ? items.first : nil
  }
}
