/// An animation has parts that are not drawn as its designer sees them.
package enum LottieUnsupportedRule: Rule {
  package static let id = "lottie-unsupported"
  package static let title = "every part of a Lottie animation is drawn"
  package static let explanation = Explanation(
    meaning: """
      Everything in a Lottie animation is also in its pictures. **Warning** for each of these that it has, with the \
      layer and the frame where it begins: \(Limitation.Feature.allCases.map(\.title).listed("and")).
      """,
    why: """
      rlottie, which draws the frames, leaves these out and says nothing. The artwork then lacks a shadow or a line \
      of text, or moves differently than on the designer's screen.
      """,
    measured: """
      the document, before anything is drawn. Layers that are hidden or outside the timeline do not count.
      """,
    fix: """
      convert text to shapes, bake expressions to keyframes, and draw effects and merged paths as shapes; or render the \
      video where the animation was made. `artworkd lottie info FILE` lists every place.
      """,
    source: """
      measured: each is drawn as if it were not there.
      """)

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
    case .skew, .mask: "draw it as plain shapes before the export"
    }
  }
}
