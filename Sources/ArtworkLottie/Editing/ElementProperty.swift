/// A property that elements of a kind have: its name in keypaths, its field in the document, and the shape of its values.
struct ElementProperty {
  let title: String
  let field: String
  let shape: AnimationValue.Shape

  private init(_ title: String, _ field: String, _ shape: AnimationValue.Shape = .number) {
    self.title = title
    self.field = field
    self.shape = shape
  }

  /// The properties of a kind (Lottie specification 1.0). Values of gradients and paths are not an
  /// ``AnimationValue``.
  static func all(of kind: ElementKind) -> [ElementProperty] {
    switch kind {
    case .transform: transform
    case .layer(.precomposition): [ElementProperty("Time Remap", "tm")]
    case .layer: []
    case .shape(let shape): all(of: shape)
    }
  }

  private static let opacity = ElementProperty("Opacity", "o")
  private static let strokeWidth = ElementProperty("Stroke Width", "w")
  private static let position = ElementProperty("Position", "p", .point)
  private static let ends = [
    ElementProperty("Start Point", "s", .point), ElementProperty("End Point", "e", .point),
  ]
  private static let transform = [
    ElementProperty("Anchor Point", "a", .point), position, ElementProperty("Scale", "s", .scale),
    ElementProperty("Rotation", "r"), opacity,
  ]

  private static func all(of shape: ShapeKind) -> [ElementProperty] {
    switch shape {
    case .fill: [ElementProperty("Color", "c", .color), opacity]
    case .stroke: [ElementProperty("Color", "c", .color), opacity, strokeWidth]
    case .gradientFill: [opacity] + ends
    case .gradientStroke: [opacity, strokeWidth] + ends
    case .rectangle:
      [ElementProperty("Size", "s", .point), position, ElementProperty("Roundness", "r")]
    case .ellipse: [ElementProperty("Size", "s", .point), position]
    case .polystar:
      [
        ElementProperty("Points", "pt"), position, ElementProperty("Rotation", "r"),
        ElementProperty("Inner Radius", "ir"), ElementProperty("Inner Roundness", "is"),
        ElementProperty("Outer Radius", "or"), ElementProperty("Outer Roundness", "os"),
      ]
    case .trim:
      [
        ElementProperty("Start", "s"), ElementProperty("End", "e"), ElementProperty("Offset", "o"),
      ]
    case .repeater: [ElementProperty("Copies", "c"), ElementProperty("Offset", "o")]
    case .group, .path, .mergePaths, .roundedCorners, .offsetPath, .puckerAndBloat, .twist, .zigZag:
      []
    }
  }
}
