/// An animation has parts that are not drawn as its designer sees them.
package enum LottieUnsupportedRule: Rule {
  package static let id = "lottie-unsupported"

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let found = candidate.facts.unsupported ?? []
    return Limitation.Feature.allCases.compactMap { feature in
      let places = found.filter { $0.feature == feature }
      guard let first = places.first else { return nil }
      let more = places.count > 1 ? ", and \(places.count - 1) more" : ""
      let detail = first.detail.map { " (\($0))" } ?? ""
      return finding(
        .warning,
        "\(feature.title) are not drawn: layer \(first.layer)\(detail) from frame \(first.frame)\(more)",
        help: feature.help, measured: feature.rawValue, limit: "drawn as designed",
        profile: profile)
    }
  }
}

extension Limitation.Feature {
  fileprivate var help: String {
    switch self {
    case .text: "convert the text to shapes before the export"
    case .layer: "remove the layer, or render the video where the animation was made"
    case .image: "embed the images as PNG in the export, or name their folder with --images"
    case .effect, .layerStyle, .blendMode, .depth:
      "draw it as shapes, or render the video where the animation was made"
    case .expression: "bake the expression to keyframes before the export"
    case .mergePaths, .modifier: "expand it to plain paths before the export"
    case .theme: "write its values into the animation, or export it without the theme"
    case .stateMachine: "choose the animation with --animation; what a viewer triggers is not drawn"
    case .skew, .mask, .stretchedStroke: "draw it as plain shapes before the export"
    }
  }
}
