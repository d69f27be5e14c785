/// The container's own facts, gathered while it is open.
struct ContainerFacts {
  var format: String
  var name: String
  var majorBrand: String?
  var movieHeaderFirst: Bool?
  /// An ISO base media file whose sample tables do not continue in fragments, with every sample there.
  var hasCompleteTables: Bool
  var editList: [EditSegment]?
  var movieSeconds: Double?
  /// See ``MediaFacts/tracks``; only audio tracks if the ends come from packets.
  var tracks: [TrackSpan]?
  var cleanAperture: (Int, Int) -> CleanAperture?
  /// See ``MediaFacts/contradictedSize``.
  var contradictedSize: (DecodedFormat) -> String?
  /// See ``MediaFacts/isDisabled``.
  var isDisabled: Bool
  /// See ``MediaFacts/changesAtFrame``; of parameter sets.
  var changedFrame: Int?
  var videoStreamCount: Int
  var hasAudio: Bool
  /// See ``MediaFacts/hasUnreadAlpha``.
  var hasUnreadAlpha: Bool
  /// See ``MediaFacts/hasMovableParameterSets``.
  var hasMovableParameterSets: Bool?
  /// See ``MediaFacts/isMisnumbered``.
  var isMisnumbered: Bool
  /// See ``MediaFacts/playCount``.
  var playCount: Int?
  /// See ``MediaFacts/contradictedSeconds``.
  var contradictedSeconds: Double?
  /// See ``MediaFacts/restsAtEnd``.
  var restsAtEnd: Bool
  var fileBytes: Int64
  var discardedCount: Int
  var leadingCount: Int?

  init(
    demuxer: borrowing Demuxer, stream: VideoStream, table: PacketTable, layout: MovieLayout?
  ) {
    format = demuxer.formatName
    majorBrand = demuxer.majorBrand
    let track = unsafe stream.identifier
    hasCompleteTables =
      layout?.isFragmented == false && table.missingCount == 0 && table.damagedCount == 0
    movieHeaderFirst = layout?.movieHeaderFirst
    editList = layout?.editList(track: track)
    movieSeconds = demuxer.statedSeconds
    let sound = table.audioEnds.map { TrackSpan(kind: .audio, endSeconds: $0) }
    tracks = layout?.trackSpans ?? (sound.isEmpty ? nil : sound)
    cleanAperture = { layout?.cleanAperture(track: track, width: $0, height: $1) }
    contradictedSize = { layout?.contradictedSize(track: track, $0) }
    isDisabled = layout?.isEnabled(track: track) == false
    changedFrame = table.changedSets.map { changed in
      table.presentationOrder?.firstIndex(of: changed) ?? changed
    }
    videoStreamCount = demuxer.videoStreamCount
    hasAudio = demuxer.hasAudio
    hasUnreadAlpha =
      unsafe layout?.hasAlphaTrack == true
      || AlphaLayer.isIn(stream, table, demuxer.input, setup: layout?.layers(track: track) ?? [])
    hasMovableParameterSets =
      unsafe stream.parameterSets == .frames
      ? ParameterSets(first: stream, table, demuxer.input) != nil : nil
    let outline = format == "apng" ? APNGOutline(BoxReader(demuxer.input)) : nil
    isMisnumbered = outline?.isMisnumbered == true
    restsAtEnd = demuxer.statesRest
    contradictedSeconds = layout?.contradictedSeconds(track: track)
    fileBytes = demuxer.input.size
    discardedCount = table.packets.count { $0.isDiscarded }
    leadingCount = table.leadingCount
    name = Self.name(
      format: format, brand: majorBrand, header: demuxer.input.bytes(at: 0, count: 64))
    playCount =
      switch name {
      case "gif": GIFOutline(BoxReader(demuxer.input)).playCount
      case "avif": layout?.playCount(track: track)
      default: outline?.playCount
      }
  }

  /// The usual name of the container.
  private static func name(format: String, brand: String?, header: [UInt8]) -> String {
    switch format {
    case ContainerFormat.isoMedia:
      // A QuickTime file may lack a brand altogether.
      guard let brand, brand != "qt" else { return "mov" }
      if brand.hasPrefix("3g") { return "3gp" }
      if brand == "avis" || brand == "avif" { return "avif" }
      return "mp4"
    case "matroska,webm":
      // The document type is a string near the start of the EBML header.
      return String(decoding: header, as: UTF8.self).contains("webm") ? "webm" : "matroska"
    default: return format
    }
  }
}
