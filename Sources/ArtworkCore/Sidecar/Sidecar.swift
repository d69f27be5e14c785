import FoundationEssentials

/// Animated covers beside music, as docs/sidecar.md describes them.
package enum Sidecar {
  /// The shape that a name in a music folder implies.
  package enum Shape: String, Sendable, Codable, CaseIterable {
    case square = "1x1"
    case tall = "3x4"
    case phone = "9x16"

    /// Width over height.
    package var aspect: Double {
      switch self {
      case .square: 1
      case .tall: 0.75
      case .phone: 0.5625
      }
    }
  }

  /// `artwork.json`.
  package struct List: Decodable, Sendable {
    package struct File: Decodable, Sendable {
      package var name: String
      package var artworkID: String?
      package var shape: String?
      package var sha256: String?
      package var madeBy: String?
    }

    package var schemaVersion: Int
    package var files: [File]

    package static let mostBytes = 1 << 20

    /// - Throws: a `DecodingError` for other JSON.
    package init(json: [UInt8]) throws {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
    }
  }

  /// The guarantees of the convention to players.
  package enum Requirement: String, Sendable, Codable, CaseIterable {
    case readable, codec
    case headerFirst = "header-first"
    case shape, silent, length, rate, loops
    case firstFrame = "first-frame"
    case listed
  }

  /// A requirement that a file does not meet, and why.
  package struct Violation: Sendable, Codable, Equatable {
    package var requirement: Requirement
    package var message: String

    package init(_ requirement: Requirement, _ message: String) {
      (self.requirement, self.message) = (requirement, message)
    }
  }

  /// The requirements that a measured clip breaks, of those that its measurements decide.
  ///
  /// - Parameter still: the cover beside it; `nil` if there is none.
  package static func violations(
    _ inspection: Inspection, as shape: Shape, still: StillPicture?
  ) -> [Violation] {
    let facts = inspection.facts
    let key: ArtworkKey = shape == .square ? .square : .tall
    let judged = Rules.judge(
      inspection, key: key, suppliedPreview: nil, path: nil, profile: .nowPlaying)
    var violations: [Violation] = []
    let codec: Set<String> = ["codec", "codec-tag", "pixel-format", "container"]
    if let finding = judged.findings.first(where: {
      codec.contains($0.rule) && $0.severity > .info
    }) {
      violations.append(Violation(.codec, finding.message))
    }
    if facts.movieHeaderFirst == false {
      violations.append(Violation(.headerFirst, "the movie header comes after the data"))
    }
    let difference = abs(facts.displayAspect / shape.aspect - 1)
    if difference > 0.005 {
      violations.append(
        Violation(
          .shape,
          "\(facts.displayWidth)x\(facts.displayHeight) is not \(shape.rawValue.replacing("x", with: ":"))"
        ))
    }
    if facts.hasAudio { violations.append(Violation(.silent, "it has sound")) }
    let seconds = facts.durationSeconds
    if !(1...30).contains((seconds * 1000).rounded() / 1000) {
      violations.append(
        Violation(.length, "it lasts \(decimal(seconds, places: 3)) s, not 1 to 30"))
    }
    if let rate = facts.maxFrameRate ?? facts.frameRate, rate > 60.01 {
      violations.append(Violation(.rate, "\(decimal(rate, places: 2)) frames a second"))
    }
    let verdict = judged.seam?.verdict
    if verdict != .seamless {
      violations.append(Violation(.loops, "its seam is \(verdict?.rawValue ?? "not there")"))
    }
    if shape != .phone, let still, let first = inspection.firstFrame, first.hasContrast {
      let likeness = PictureLikeness.of(
        still.signature, aspect: Double(still.width) / Double(still.height), first,
        aspect: facts.displayAspect, enough: Profile.nowPlaying.coverLikeness)
      if likeness < Profile.nowPlaying.coverLikeness {
        violations.append(
          Violation(
            .firstFrame, "it does not resemble the still (likeness \(decimal(likeness, places: 2)))"
          ))
      }
    }
    return violations
  }
}
