import ArtworkStore

/// Which formats of a picture a client takes, by its `Accept` fields (RFC 9110, 12.5.1).
enum AcceptedFormats {
  /// The formats that a client takes, the best first; none if it takes no format that there is.
  ///
  /// Without the field, PNG. Of formats with the highest weight, those that the client names go before those that it
  /// only includes in `image/*` or `*/*`: a browser that names WebP gets it, and a client that takes anything gets PNG.
  /// Parts of the field that are not well-formed are passed over, and so are names of formats that this build lacks.
  ///
  /// - Parameters:
  ///   - field: all values, separated by commas.
  ///   - formats: those that this build can write.
  static func inOrder(
    _ field: String?, of formats: [PictureFormat] = PictureFormat.allCases.filter(\.isAvailable)
  ) -> [PictureFormat] {
    let lacking = Set(PictureFormat.allCases).subtracting(formats).map(\.contentType)
    let ranges = (field ?? "").split(separator: ",").compactMap(range)
      .filter { !lacking.contains($0.name) }
    guard !ranges.isEmpty else { return [.png] }
    func stated(_ name: String) -> Double? { ranges.last { $0.name == name }?.weight }
    let choices = formats.compactMap { format -> Choice? in
      let named = stated(format.contentType)
      guard let weight = named ?? stated("image/*") ?? stated("*/*"), weight > 0 else {
        return nil
      }
      return Choice(format: format, weight: weight, isNamed: named != nil)
    }
    return choices.sorted(by: Choice.precedes).map(\.format)
  }

  private struct Choice {
    var format: PictureFormat
    var weight: Double
    var isNamed: Bool

    /// Who names formats wants to save bytes; who does not, gets the exact picture.
    private var rank: Int {
      let order: [PictureFormat] = isNamed ? [.webp, .png, .jpeg] : [.png, .webp, .jpeg]
      return (isNamed ? 0 : order.count) + (order.firstIndex(of: format) ?? 0)
    }

    static func precedes(_ one: Choice, _ other: Choice) -> Bool {
      (-one.weight, one.rank) < (-other.weight, other.rank)
    }
  }

  private static func range(_ part: Substring) -> (name: String, weight: Double)? {
    let words = part.split(separator: ";", omittingEmptySubsequences: false).map { word in
      word.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
    guard let name = words.first, name.split(separator: "/").count == 2 else { return nil }
    guard let given = words.dropFirst().first(where: { $0.hasPrefix("q=") }) else {
      return (name, 1)
    }
    guard let weight = Double(given.dropFirst(2)), (0...1).contains(weight) else { return nil }
    return (name, weight)
  }
}
