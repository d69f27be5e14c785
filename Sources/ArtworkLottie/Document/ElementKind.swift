/// The kind of a part of a document, by the field `ty`.
enum ElementKind: Equatable {
  case layer(LayerKind)
  case shape(ShapeKind)
  /// The transform of a layer or a group.
  case transform
}

/// Numbers of layer types (Lottie specification 1.0, layers; those beyond 5 from the exporter, Bodymovin).
enum LayerKind: Int {
  case precomposition = 0
  case solid = 1
  case image = 2
  case null = 3
  case shape = 4
  case text = 5
  case audio = 6
  case videoPlaceholder = 7
  case imageSequence = 8
  case video = 9
  case imagePlaceholder = 10
  case guide = 11
  case adjustment = 12
  case camera = 13
  case light = 14
  case data = 15

  /// The name that layers without a name get.
  var title: String {
    switch self {
    case .precomposition: "Precomposition"
    case .solid: "Solid"
    case .image: "Image"
    case .null: "Null"
    case .shape: "Shape layer"
    case .text: "Text"
    case .audio: "Audio"
    case .videoPlaceholder, .video: "Video"
    case .imageSequence: "Image sequence"
    case .imagePlaceholder: "Image placeholder"
    case .guide: "Guide"
    case .adjustment: "Adjustment"
    case .camera: "Camera"
    case .light: "Light"
    case .data: "Data"
    }
  }
}

/// Types of shapes, as documents spell them (Lottie specification 1.0, shapes; the modifiers from `op` on from Bodymovin).
enum ShapeKind: String {
  case group = "gr"
  case fill = "fl"
  case stroke = "st"
  case gradientFill = "gf"
  case gradientStroke = "gs"
  case rectangle = "rc"
  case ellipse = "el"
  case path = "sh"
  case polystar = "sr"
  case trim = "tm"
  case repeater = "rp"
  case mergePaths = "mm"
  case roundedCorners = "rd"
  case offsetPath = "op"
  case puckerAndBloat = "pb"
  case twist = "tw"
  case zigZag = "zz"

  /// The name that shapes without a name get.
  var title: String {
    switch self {
    case .group: "Group"
    case .fill: "Fill"
    case .stroke: "Stroke"
    case .gradientFill: "Gradient Fill"
    case .gradientStroke: "Gradient Stroke"
    case .rectangle: "Rectangle"
    case .ellipse: "Ellipse"
    case .path: "Path"
    case .polystar: "Polystar"
    case .trim: "Trim Paths"
    case .repeater: "Repeater"
    case .mergePaths: "Merge Paths"
    case .roundedCorners: "Rounded Corners"
    case .offsetPath: "Offset Paths"
    case .puckerAndBloat: "Pucker & Bloat"
    case .twist: "Twist"
    case .zigZag: "Zig Zag"
    }
  }
}
