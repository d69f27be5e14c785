package import ArtworkLottie

/// The output of `artworkd lottie info` for people.
package struct AnimationText {
  private let style: TextStyle

  package init(style: TextStyle) { self.style = style }

  /// Lists of layers and properties are cut after so many lines, with a line about the rest.
  private static let mostLines = 200

  package func render(_ summary: AnimationSummary) -> String {
    let rate = summary.frameRate
    let fps = rate.denominator == 1 ? "\(rate)" : "\(decimal(rate.value, places: 3)) (\(rate))"
    var lines = [
      "\(summary.width)x\(summary.height), \(summary.frameCount) frames at \(fps) fps, "
        + "\(decimal(summary.durationSeconds, places: 3)) s; frames \(summary.startFrame) to "
        + "\(summary.startFrame + summary.frameCount - 1)",
      [
        "\(summary.form.title)", summary.version.map { "version \($0)" }, summary.generator,
        summary.name.map { "'\($0)'" },
      ].compactMap(\.self).joined(separator: ", ").printable,
    ]
    func section(_ title: String, _ rows: [String]) {
      guard !rows.isEmpty else { return }
      lines += ["", style.paint(title, .heading)]
      lines += rows.prefix(Self.mostLines).map { "  \($0.printable)" }
      if rows.count > Self.mostLines {
        lines.append("  and \(rows.count - Self.mostLines) more; --format json lists all")
      }
    }
    section("Animations", summary.animations)
    section(
      "Markers",
      summary.markers.map { marker in
        let length = marker.duration > 0 ? " for \(number(marker.duration))" : ""
        return "\(marker.name): frame \(number(marker.frame))\(length)"
      })
    section(
      "Layers",
      summary.layers.map { layer in
        let state =
          if layer.isHidden {
            "hidden"
          } else if layer.endFrame <= layer.firstFrame {
            "never shown"
          } else {
            "frames \(layer.firstFrame) to \(layer.endFrame - 1)"
          }
        return "\(layer.keypath): \(layer.kind), \(state)"
      })
    section(
      "Properties at the first frame, except of transforms that do nothing",
      summary.properties.filter { $0.value != nil && !$0.isIdle }.map { property in
        "\(property.keypath): \(property.value ?? "")\(property.isAnimated ? ", animated" : "")"
      })
    section("Fonts", summary.fonts)
    section("Images outside the file", summary.externalImages)
    section(
      "Not drawn",
      summary.unsupported.map { place in
        let detail = place.detail.map { " (\($0))" } ?? ""
        return "\(place.feature.title): \(place.layer)\(detail), from frame \(place.frame)"
      })
    if summary.unsupported.isEmpty { lines += ["", "Everything in it is drawn."] }
    return lines.joined(separator: "\n") + "\n"
  }

  private func number(_ value: Double) -> String { decimal(value, places: 2) }
}

extension AnimationFile.Form {
  fileprivate var title: String {
    switch self {
    case .json: "Lottie"
    case .dotLottie: "dotLottie"
    case .tgs: "Telegram sticker"
    }
  }
}

extension AnimationSummary.Property {
  /// Whether it is a part of a transform that changes nothing.
  fileprivate var isIdle: Bool {
    let names = AnimationKeypath(keypath: keypath).keys.suffix(2)
    guard !isAnimated, names.first == "Transform" else { return false }
    return ["0", "0,0", "100,100"].contains(value) || names.last == "Opacity" && value == "100"
  }
}

/// The output of `artworkd lottie info` for machines; docs/json.md describes it.
package struct AnimationDocument: Encodable {
  private var path: String
  private var summary: AnimationSummary

  package init(path: String, _ summary: AnimationSummary) {
    (self.path, self.summary) = (path, summary)
  }

  private enum CodingKeys: CodingKey { case schemaVersion, path }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(1, forKey: .schemaVersion)
    try container.encode(path, forKey: .path)
    try summary.encode(to: encoder)
  }
}
