import ArtworkModel

/// One named part of a document that a keypath can match: a layer, a shape, or the transform of either.
struct Element {
  var kind: ElementKind
  /// Names from the outermost layer inwards, as in keypaths.
  var names: [String]
  /// Its place in the document. Layers of a precomposition that is used several times share their place.
  var place: Place
  var node: JSONNode
  var clock: LayerClock
  /// The frames of the composition during which the element may be visible; empty for one that never is.
  var visible: Range<Double>

  /// The frames in ``visible``; exporters write 60.0000024438501 for 60.
  var visibleFrames: Range<Int> {
    func first(from place: Double) -> Int {
      wholeNumber((place - 0.01).rounded(.up), as: Int.self) ?? 0
    }
    let start = first(from: visible.lowerBound)
    return start..<max(start, first(from: visible.upperBound))
  }

  var keypath: String { AnimationKeypath(names).description }
  /// The keypath of the innermost layer that it belongs to, without the rest.
  var layerDepth: Int
  var layerKeypath: String { AnimationKeypath(Array(names.prefix(layerDepth))).description }
}

/// The way from the root of a document to a value.
typealias Place = [PlaceStep]

enum PlaceStep: Hashable {
  case field(String)
  case item(Int)
}

extension JSONNode {
  /// The value at a place; setting changes the document there, and adds the last field of the path if it is missing.
  subscript(_ place: some Collection<PlaceStep>) -> JSONNode? {
    get {
      place.reduce(Optional(self)) { node, step in
        switch step {
        case .field(let name): node?[name]
        case .item(let index): node?[index]
        }
      }
    }
    set {
      guard let step = place.first else {
        if let newValue { self = newValue }
        return
      }
      switch step {
      case .field(let name): self[name] = changed(self[name], place.dropFirst(), newValue)
      case .item(let index): self[index] = changed(self[index], place.dropFirst(), newValue)
      }
    }
  }

  private func changed(
    _ child: JSONNode?, _ rest: some Collection<PlaceStep>, _ value: JSONNode?
  ) -> JSONNode? {
    if rest.isEmpty { return value }
    var child = child
    child?[rest] = value
    return child
  }
}

/// Turns frames of the composition into those that keyframes of a layer count in. Layers inside a precomposition have the
/// timeline of that, which may start later and run slower. A time remap is not followed.
struct LayerClock: Equatable {
  private var start = 0.0
  private var stretch = 1.0

  func local(_ frame: Double) -> Double { (frame - start) / stretch }

  func global(_ frame: Double) -> Double { start + frame * stretch }

  /// The clock of the layers inside this layer.
  func inside(_ layer: JSONNode) -> LayerClock {
    var clock = self
    clock.start = global(layer["st"]?.number ?? 0)
    let own = layer["sr"]?.number ?? 1
    clock.stretch *= own == 0 ? 1 : own
    return clock
  }
}

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
