/// The chunk order of an animated PNG, without its data.
struct APNGOutline {
  /// A frame control precedes the animation control, where FFmpeg does not expect one.
  private(set) var startsEarly = false
  /// The sequence numbers of the frame controls and their data are not 0, 1, 2 and so on.
  private(set) var isMisnumbered = false
  /// How many times it plays; `nil` without end.
  private(set) var playCount: Int?
  /// Frames with a delay of 10 ms or less.
  private(set) var shortDelays = 0
  private var hasDeepAlpha = false
  /// The first frame is smaller than the canvas, as it may be after a picture for viewers that know no animations.
  private var startsInPart = false

  /// Whether FFmpeg does not compose it: it blends pictures of 8 bits only, over a whole one.
  var isBeyondFFmpeg: Bool { startsEarly || hasDeepAlpha || startsInPart }

  init(_ reader: BoxReader) {
    var isAnimated = false
    var next: UInt64 = 0
    var isDeep = false
    let size = reader.unsigned(at: 16, size: 8)
    for chunk in PNGChunks(reader) {
      let data = chunk.data.lowerBound
      switch chunk.name {
      case "IHDR":
        isDeep = reader.unsigned(at: data + 8, size: 1) == 16
        let kind = reader.unsigned(at: data + 9, size: 1)
        if isDeep, kind == 4 || kind == 6 { hasDeepAlpha = true }
      case "tRNS": if isDeep { hasDeepAlpha = true }
      case "acTL":
        isAnimated = true
        let plays = reader.unsigned(at: data + 4, size: 4) ?? 0
        playCount = plays == 0 ? nil : Int(clamping: plays)
      case "fcTL", "fdAT":
        if !isAnimated { startsEarly = true }
        if reader.unsigned(at: data, size: 4) != next { isMisnumbered = true }
        if next == 0, reader.unsigned(at: data + 4, size: 8) != size { startsInPart = true }
        next += 1
        // A delay is a fraction of a second, with zero for 100.
        if chunk.name == "fcTL", let above = reader.unsigned(at: data + 20, size: 2),
          let below = reader.unsigned(at: data + 22, size: 2),
          above * 100 <= (below == 0 ? 100 : below)
        {
          shortDelays += 1
        }
      default: break
      }
    }
  }
}
