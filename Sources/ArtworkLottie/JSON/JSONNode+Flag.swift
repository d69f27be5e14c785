import ArtworkModel

extension JSONNode {
  /// Whether it is true: `true`, or a number other than 0, since documents use both.
  var isSet: Bool {
    switch self {
    case .bool(let bool): bool
    case .number(let number): number != 0
    default: false
    }
  }
}
