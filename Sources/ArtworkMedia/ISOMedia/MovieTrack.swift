/// The declarations in the boxes of one track (ISO/IEC 14496-12, `trak`).
struct MovieTrack {
  /// The track ID; zero if the header is missing.
  var identifier: UInt64 = 0
  var handler: BoxType?
  /// Ticks a second of the media's own times.
  var timescale: UInt64?
  /// The length of the media in these ticks; zero if unknown, as in a fragmented movie.
  var duration: UInt64 = 0
  /// The track header (`tkhd`).
  var header: Box?
  var editList: Box?
  /// The durations of the samples (`stts`).
  var times: Box?
  var sampleDescriptions: Box?
  /// Samples in the sample size table.
  var sampleCount: Int64 = 0
  /// The size of every sample in bytes; zero if each has its own entry.
  var constantSize: Int64 = 0
  /// The size of an entry of the table in bits; zero for a constant size.
  var entryBits: Int64 = 0
  /// Every sample lasts one tick, which for sound means uncompressed: libavformat then indexes chunks
  /// of samples and not each of them.
  var hasUnitSteps = false
  /// Entries of the tables that place samples in time and in the file: `stts`, `stsc`, `stco`.
  var timeEntries: Int64 = 0
  var chunkRuns: Int64 = 0
  var chunks: Int64 = 0
  /// Samples in movie fragments.
  var fragmentSamples: Int64 = 0

  /// Handlers (ISO/IEC 14496-12 and QuickTime) whose samples are not pictures. For a track without one, libavformat
  /// decides by its sample entry, so it may be video.
  private static let otherHandlers: Set<BoxType> = [
    "soun", "text", "sbtl", "subt", "subp", "clcp", "meta", "mdta", "tmcd", "hint", "odsm", "sdsm",
  ]

  var mayBeVideo: Bool { handler.map { !Self.otherHandlers.contains($0) } ?? true }

  var kind: TrackSpan.Kind { mayBeVideo ? .video : handler == "soun" ? .audio : .other }

  var declaredCount: Int64 { sampleCount.addingClamped(fragmentSamples) }

  /// Whether the tables, each taken alone, give every sample a time and a location.
  var hasPlausibleTables: Bool {
    sampleCount > 0 && timeEntries > 0 && chunkRuns > 0 && chunks > 0
  }

  /// Whether libavformat makes one index entry for up to 1024 of these samples.
  private var isIndexedByChunk: Bool {
    handler == "soun" && constantSize > 0 && hasUnitSteps
  }

  /// Index entries that libavformat will make for the sample table, 24 bytes each.
  var indexEntries: Int64 {
    // 160 samples of the shortest packet in that form (GSM) are the worst case.
    isIndexedByChunk ? sampleCount / 160 : sampleCount
  }

  /// Whether a file of this size cannot contain the samples of the table: its explicit sizes, or the samples of
  /// constant size.
  func claimsMoreThan(fileSize: Int64) -> Bool {
    if constantSize == 0 {
      return sampleCount.multipliedClamped(by: entryBits) / 8 > fileSize
    }
    // QuickTime counts compressed sound in samples of one byte before compression, which took up to six
    // of them together (MACE 6:1).
    let samplesPerByte: Int64 = isIndexedByChunk ? 8 : 1
    return sampleCount.multipliedClamped(by: constantSize) / samplesPerByte > fileSize
  }
}
