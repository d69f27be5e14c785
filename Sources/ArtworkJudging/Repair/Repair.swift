/// The repair of one video for one rule.
///
/// A repair keeps everything else unchanged, so that the result breaks no rule that the video did not break: only the
/// video track, its colours, its rate and its shape, in a container and codec that the profile accepts. A test
/// carries out each one on a video that breaks the rule.
package enum Repair: Equatable {
  /// The packets are copied, into a container with the missing information.
  case copy(RepairKind)
  /// The video is encoded again, with this change.
  case encode(ClipEdit)
  /// Another command of this tool, for the file alone.
  case artworkd([String])
  /// Writes an animated picture with this extension beside the file.
  case export(String)

  /// How `artworkd repair` does it; `nil` if it does not.
  package var kind: RepairKind? {
    switch self {
    case .copy(let kind): kind
    case .encode: .unsafe
    case .artworkd, .export: nil
    }
  }

  package var edit: ClipEdit? {
    if case .encode(let edit) = self { edit } else { nil }
  }

  /// The command for the video at `path`, for a POSIX shell; `nil` for repairs by `artworkd repair`, since one
  /// command does all of those, and for a name that is not UTF-8, which a command cannot express.
  package func command(for path: FilePath) -> String? {
    guard path.percentEncodedUnlessText == nil else { return nil }
    func beside(_ name: String) -> String {
      ShellWord.quoted(path.removingLastComponent().appending(name))
    }
    switch self {
    case .copy, .encode: return nil
    case .artworkd(let words):
      return ((["artworkd"] + words).map(ShellWord.quoted) + [ShellWord.quoted(path)])
        .joined(separator: " ")
    case .export(let form):
      let stem = path.lastComponent?.stem ?? ""
      return "artworkd export \(ShellWord.quoted(path)) -o \(beside(stem + ".fixed." + form))"
    }
  }
}

/// The operation that repairs a finding.
public enum RepairKind: String, Sendable, Codable, CaseIterable {
  /// The packets are copied unchanged, into a container with the missing information.
  case lossless
  /// The packets are copied, and unspecified values are stated. The samples do not change.
  case metadata
  /// The video is encoded again, and the picture may change: `artworkd repair --unsafe`.
  case unsafe
}

extension Repair {
  /// Copies the packets into a container that the profile takes; `nil` if a copy would not be the same clip or the
  /// container cannot hold the codec.
  ///
  /// - Parameter kind: `metadata` to state the colour matrix as well.
  package static func copy(
    _ facts: MediaFacts, for profile: Profile, _ kind: RepairKind = .lossless
  ) -> Repair? {
    Recipe(copying: facts, for: [profile], repairing: [kind]) == nil ? nil : .copy(kind)
  }

  /// Leaves out repeated frames. `nil` if the profile does not accept the rate.
  static func leaveOut(
    _ cadence: Cadence, _ facts: MediaFacts, for profile: Profile
  ) -> Repair? {
    guard cadence.isRegular, let rate = facts.frameRateRatio?.multiplied(by: cadence.share),
      profile.accepts(rate)
    else { return nil }
    return encode(facts, for: profile, ClipEdit(cadence: cadence))
  }

  /// Encodes the video as the profile requires; `nil` if `artworkd repair` has no codec for it, or would not preserve
  /// the picture.
  ///
  /// - Parameter edit: other changes.
  package static func encode(
    _ facts: MediaFacts, for profile: Profile, _ edit: ClipEdit = ClipEdit()
  ) -> Repair? {
    guard facts.canBeEncoded(for: profile), !edit.makesBT709 || facts.becomesBT709 else {
      return nil
    }
    return .encode(edit)
  }

  /// Cuts the clip to its best loop; if that cannot be encoded, lists the loops.
  ///
  /// - Parameter words: options of `artworkd loop` equivalent to `search`.
  static func loop(
    _ facts: MediaFacts, for profile: Profile, _ words: [String] = [],
    _ search: ClipEdit.LoopSearch = .init()
  ) -> Repair {
    encode(facts, for: profile, ClipEdit(loop: search)) ?? .artworkd(["loop"] + words)
  }

  /// Converts the colours to BT.709; `nil` if that requires a conversion of primaries.
  static func standardColors(_ facts: MediaFacts, for profile: Profile) -> Repair? {
    encode(facts, for: profile, ClipEdit(makesBT709: true))
  }

  /// States the matrix that players assume: in the bitstream, without encoding if possible.
  static func statedMatrix(_ facts: MediaFacts, for profile: Profile) -> Repair? {
    if profile.wantsBT709, facts.assumedMatrix != "bt709" {
      return standardColors(facts, for: profile)
    }
    // ITU-T H.273 has codes for these.
    if ["bt709", "smpte170m", "bt2020nc"].contains(facts.assumedMatrix),
      ["h264", "hevc"].contains(facts.codec), let copy = copy(facts, for: profile, .metadata)
    {
      return copy
    }
    return encode(facts, for: profile)
  }
}

extension CropArea {
  /// The largest part with even sides at even positions and the aspect ratio of `shape`, from the middle; `nil` if
  /// there is no room for one.
  package func largest(_ shape: ArtworkShape) -> CropArea? {
    let (left, top) = ((x + 1) / 2 * 2, (y + 1) / 2 * 2)
    let (w, h) = (Int(clamping: shape.aspect.numerator), Int(clamping: shape.aspect.denominator))
    guard w > 0, h > 0 else { return nil }
    let unit = min((x + width - left) / w, (y + height - top) / h) / 2 * 2
    guard unit > 0 else { return nil }
    var area = self
    (area.width, area.height) = (unit * w, unit * h)
    area.x = left + (x + width - left - area.width) / 4 * 2
    area.y = top + (y + height - top - area.height) / 4 * 2
    return area
  }

  /// The repair that keeps this part only; `nil` if the profile requires a larger picture than that, because
  /// enlarging adds no detail.
  package func repair(_ facts: MediaFacts, shape: ArtworkShape, for profile: Profile) -> Repair? {
    let shown = (width: facts.displayWidth, height: facts.displayHeight)
    if let size = shape.size {
      guard width >= size.width, height >= size.height else { return nil }
    } else if let least = profile.smallestSide, min(width, height) < least,
      min(shown.width, shown.height) >= least
    {
      return nil
    }
    return .encode(facts, for: profile, ClipEdit(area: self, size: shape.size))
  }
}
