public import ArtworkModel

/// A Lottie animation: its document, the timing of its frames, and the properties that can be changed before
/// rendering.
///
/// A value: changing a copy does not affect the original. ``AnimationRenderer`` renders it.
public struct Animation: Sendable, Equatable {
  /// Pixels of the composition, at most 16384 a side.
  public let size: PixelSize
  /// Frames per second. Rates such as 29.97 are the exact fraction that they stand for.
  public let frameRate: Rational
  /// The first frame of the composition's timeline; usually 0.
  public let startFrame: Int
  /// The number of frames, at least 1.
  public let frameCount: Int
  /// The markers, in the order of the document.
  public let markers: [Marker]

  /// The document, with all changes applied.
  var document: JSONNode
  /// What the archive of the document asks for, and is not drawn.
  var archiveLimitations: [Limitation] = []

  /// Reads a document.
  ///
  /// - Parameter json: UTF-8. Time and memory grow with its length: a megabyte takes about 50 MB.
  /// - Throws: `not-a-movie` for anything but an animation, `too-large` for one beyond ``JSONReader``'s limits or
  ///   with more than ``DocumentWalk/mostElements`` elements, `decode-failed` for one that contains itself.
  public init(json: [UInt8]) throws(InspectionError) {
    let document = try JSONReader.read(json)
    guard case .list = document["layers"], let width = document["w"]?.number,
      let height = document["h"]?.number, let rate = document["fr"]?.number,
      let start = document["ip"]?.number, let end = document["op"]?.number
    else {
      throw InspectionError(
        .notAMovie, "this JSON is not a Lottie animation: it needs layers, w, h, fr, ip and op")
    }
    guard let size = Self.size(width, height) else {
      throw InspectionError(
        .decodeFailed,
        "the composition has \(width)x\(height) pixels; each side needs 1 to \(Self.longestSide)")
    }
    guard let frameRate = Self.exactRate(rate) else {
      throw InspectionError(.decodeFailed, "the frame rate \(rate) is not between 0.01 and 1000")
    }
    // Exporters write 60.0000024438501 for 60.
    guard let startFrame = wholeNumber((start + 0.01).rounded(.down), as: Int32.self),
      let endFrame = wholeNumber((end + 0.01).rounded(.down), as: Int32.self)
    else {
      throw InspectionError(.decodeFailed, "its frames \(start) to \(end) are no numbers of frames")
    }
    guard endFrame > startFrame else {
      throw InspectionError(.noFrames, "it ends at frame \(end), where it starts")
    }
    self.size = size
    self.frameRate = frameRate
    self.startFrame = Int(startFrame)
    frameCount = Int(endFrame) - Int(startFrame)
    markers = Marker.all(of: document)
    self.document = document
    try DocumentWalk(document).check()
  }

  private static let longestSide = 16384

  private static func size(_ width: Double, _ height: Double) -> PixelSize? {
    let sides = [width, height].compactMap { wholeNumber($0.rounded(), as: Int.self) }
    guard sides.count == 2, sides.allSatisfy({ (1...longestSide).contains($0) }) else { return nil }
    return PixelSize(width: sides[0], height: sides[1])
  }

  /// The exact rate for a rounded number: a whole number or 1000/1001 of one if that is within a 20,000th, as
  /// 29.9700012207031 is 30000/1001; else thousandths.
  private static func exactRate(_ rate: Double) -> Rational? {
    guard (0.01...1000).contains(rate), let nearest = wholeNumber(rate.rounded(.up), as: Int64.self)
    else { return nil }
    let whole = [Rational(nearest), Rational(nearest - 1), Rational(nearest * 1000, 1001)]
    let exact = whole.compactMap(\.self).first { abs($0.value - rate) < rate / 20_000 }
    return exact
      ?? wholeNumber((rate * 1000).rounded(), as: Int64.self).flatMap { Rational($0, 1000) }
  }

  /// A point or a part of the timeline that the designer named.
  public struct Marker: Sendable, Equatable, Codable {
    public var name: String
    /// The frame that it names, on the composition's timeline.
    public var frame: Double
    /// Frames that it lasts; 0 for a point.
    public var duration: Double

    fileprivate static func all(of document: JSONNode) -> [Marker] {
      (document["markers"]?.items ?? []).compactMap { marker in
        guard let frame = marker["tm"]?.number else { return nil }
        return Marker(
          name: marker["cm"]?.text ?? "", frame: frame, duration: max(0, marker["dr"]?.number ?? 0))
      }
    }
  }
}

// MARK: - Time

extension Animation {
  /// Seconds that the animation lasts: all frames, the last one included.
  public var duration: Double { Double(frameCount) / frameRate.value }

  /// The frame after the last.
  public var endFrame: Int { startFrame + frameCount }

  /// Seconds from the start to a frame of the timeline.
  public func time(atFrame frame: Double) -> Double {
    (frame - Double(startFrame)) / frameRate.value
  }

  /// The frame of the timeline at a time in seconds.
  public func frame(atTime time: Double) -> Double { Double(startFrame) + time * frameRate.value }

  /// How much of the animation has passed at a frame: 0 at the start, 1 at the end.
  public func progress(atFrame frame: Double) -> Double {
    (frame - Double(startFrame)) / Double(frameCount)
  }

  /// The frame at a share of the animation.
  public func frame(atProgress progress: Double) -> Double {
    Double(startFrame) + progress * Double(frameCount)
  }

  /// The first marker of this name.
  public func marker(named name: String) -> Marker? { markers.first { $0.name == name } }

  /// The frame that a marker names; `nil` without such a marker.
  public func frame(forMarker name: String) -> Double? { marker(named: name)?.frame }

  /// How much of the animation has passed at a marker; `nil` without such a marker.
  public func progress(forMarker name: String) -> Double? {
    frame(forMarker: name).map(progress(atFrame:))
  }
}
