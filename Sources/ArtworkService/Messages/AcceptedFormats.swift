/// Which formats of a picture a client takes, by its `Accept` fields (RFC 9110, 12.5.1).
enum AcceptedFormats {
  /// The formats that a client accepts, best first; empty if it accepts none of the available ones.
  ///
  /// Without the field, PNG. Of formats with the highest weight, those that the client names precede those that it
  /// only includes in `image/*` or `*/*`: a browser that names WebP gets it, and a client that accepts anything gets
  /// PNG.
  /// Malformed parts of the field are skipped, and so are formats that this build lacks.
  ///
  /// - Parameters:
  ///   - field: all values, separated by commas.
  ///   - formats: those that this build can write.
  static func inOrder(
    _ field: String?, of formats: [PictureFormat] = PictureFormat.allCases.filter(\.isAvailable)
  ) -> [PictureFormat] {
    let ranges = MediaRanges(
      field, lacking: Set(PictureFormat.allCases).subtracting(formats).map(\.contentType))
    guard !ranges.isEmpty else { return [.png] }
    let choices = formats.compactMap { format in
      ranges.weight(of: format.contentType).map { Choice(format: format, weight: $0, isNamed: $1) }
    }
    return choices.sorted(by: Choice.precedes).map(\.format)
  }

  private struct Choice {
    var format: PictureFormat
    var weight: Double
    var isNamed: Bool

    /// A client that names formats wants to save bytes; one that does not gets the exact picture.
    private var rank: Int {
      let order: [PictureFormat] = isNamed ? [.webp, .png, .jpeg] : [.png, .webp, .jpeg]
      return (isNamed ? 0 : order.count) + (order.firstIndex(of: format) ?? 0)
    }

    static func precedes(_ one: Choice, _ other: Choice) -> Bool {
      (-one.weight, one.rank) < (-other.weight, other.rank)
    }
  }
}
