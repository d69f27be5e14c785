import CFFmpeg

/// An open container, read through an ``InputFile``.
@safe struct Demuxer: ~Copyable {
  let input: InputFile
  /// The boxes of an ISO base media file; `nil` for other containers.
  let layout: MovieLayout?
  let limits: Limits
  private let context: UnsafeMutablePointer<AVFormatContext>

  /// Bytes that analysis reads at most before it gives up: libavformat's default, so that both it and
  /// ffmpeg see the same stream. The first packet is always read.
  private static let analysisBytes: Int64 = 5_000_000
  /// Microseconds of the streams that analysis reads at most: libavformat's default for most containers.
  /// Left to itself it takes 90 seconds of FLV.
  private static let analysisTime: Int64 = 5_000_000
  /// Packets that analysis buffers at most while it guesses a codec: libavformat's default.
  private static let analysisPackets: Int32 = 2500

  /// Opens the container in `input` from its first byte. Only `formats` are opened, and an ISO base media file only
  /// after its boxes were found to be within `limits`.
  ///
  /// - Parameter analysing: whether libavformat decodes the start even if the headers contain enough.
  /// - Throws: `not-a-movie`, `truncated`, `too-many-frames`, `too-many-streams` or `out-of-memory`.
  static func open(
    _ input: InputFile, limits: Limits = Limits(), formats: [String] = ContainerFormat.allowed,
    analysing: Bool = false
  ) throws(InspectionError) -> Demuxer {
    // libavformat takes it for something else.
    if formats == ContainerFormat.allowed, GIFOutline.isWithoutSize(input) {
      throw InspectionError(
        .notAMovie, "this GIF states a width or height of 0: only browsers show it",
        advice: "export it again")
    }
    input.rewind()
    // A picture among the tags of an MP3 may be larger than what is probed.
    guard
      let format = try unsafe ContainerFormat.recognise(input.attachIO())
        ?? (formats == ContainerFormat.sounds ? av_find_input_format("mp3") : nil)
    else {
      throw formats == ContainerFormat.stills
        ? notAStill : InspectionError(.notAMovie, "this is not a video file")
    }
    let name = unsafe String(cString: format.pointee.name)
    guard formats.contains(name) else {
      throw formats == ContainerFormat.stills
        ? notAStill
        : refusal(of: name)
    }
    if name == ContainerFormat.isoMedia, FileBoxes(input).arePartOfStream {
      throw InspectionError(
        .streamPart, "this is a part of a stream (HLS or DASH), not a whole movie")
    }
    let layout =
      name == ContainerFormat.isoMedia ? try MovieLayout(reading: input, limits: limits) : nil
    if let layout, layout.isStillImage { throw stillImage(layout) }
    return try unsafe open(
      input, as: format, layout: layout, limits: limits, formats: formats, analysing: analysing)
  }

  /// Thrown before libavformat opens the file: FFmpeg 5 reads memory that it never set if the items are damaged.
  private static func stillImage(_ layout: MovieLayout) -> InspectionError {
    InspectionError(
      .notAMovie,
      layout.lacksPrimaryItem
        ? "this is a damaged HEIF or AVIF picture: it does not say which item is the picture (pitm)"
        : "this is a still HEIF or AVIF picture, not a video")
  }

  private static let notAStill = InspectionError(
    .notAMovie, "this is not a \(FileFormat.stillTitles) picture",
    advice: "use a \(FileFormat.stillTitles) file")

  /// Opens the same container once more from its first byte, analysed.
  func reopenedWithAnalysis() throws(InspectionError) -> Demuxer {
    input.rewind()
    return try unsafe Self.open(
      input, as: context.pointee.iformat, layout: layout, limits: limits, formats: [formatName],
      analysing: true)
  }

  private static func open(
    _ input: InputFile, as format: UnsafePointer<AVInputFormat>, layout: MovieLayout?,
    limits: Limits, formats: [String], analysing: Bool
  ) throws(InspectionError) -> Demuxer {
    let io = try unsafe input.attachIO()
    var allocated = unsafe avformat_alloc_context()
    guard let context = unsafe allocated else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "open the container")
    }
    unsafe context.pointee.pb = unsafe io
    unsafe context.pointee.max_streams = Int32(clamping: limits.streams)
    unsafe context.pointee.probesize = analysisBytes
    unsafe context.pointee.max_analyze_duration = analysisTime
    unsafe context.pointee.max_probe_packets = analysisPackets
    var options: OpaquePointer? = nil
    // The format is already fixed; this also prevents nested demuxers.
    unsafe av_dict_set(&options, "format_whitelist", formats.joined(separator: ","), 0)
    unsafe av_dict_set(&options, "codec_whitelist", AllowedDecoders.names, 0)
    // Browsers show frames with a delay of 0 or 10 ms for 100 ms. GIF's own options do so; these are APNG's. Others
    // ignore them.
    unsafe av_dict_set_int(&options, "default_fps", 10, 0)
    unsafe av_dict_set_int(&options, "max_fps", 99, 0)
    defer { unsafe av_dict_free(&options) }
    // On failure this frees the context, but not our I/O.
    let status = unsafe avformat_open_input(&allocated, nil, format, &options)
    guard status >= 0, let opened = unsafe allocated else {
      throw unsafe refusal(
        status, of: String(cString: format.pointee.name), layout: layout, limits: limits)
    }
    let demuxer = unsafe Demuxer(input: input, layout: layout, limits: limits, context: opened)
    try demuxer.checkStreamCount()
    try demuxer.turnPictures()
    if analysing || !(formats == ContainerFormat.sounds || demuxer.describesItself) {
      try demuxer.analyse()
    }
    return demuxer
  }

  private init(
    input: InputFile, layout: MovieLayout?, limits: Limits,
    context: UnsafeMutablePointer<AVFormatContext>
  ) {
    self.input = input
    self.layout = layout
    self.limits = limits
    unsafe self.context = unsafe context
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe avformat_close_input(&context)
  }

  /// Lets libavformat read and decode the start of each stream. Streams that turn up later have no limit
  /// on pictures here (MPEG streams and FLV may), but our own decoder does.
  private func analyse() throws(InspectionError) {
    let count = streamCount
    var options = unsafe [OpaquePointer?](repeating: nil, count: count)
    for index in 0..<count {
      unsafe av_dict_set_int(&options[index], "max_pixels", limits.pixels, 0)
      unsafe av_dict_set_int(&options[index], "threads", 1, 0)
    }
    defer { for index in 0..<count { unsafe av_dict_free(&options[index]) } }
    // A failure here leaves the context open: the deinit closes it.
    let status = unsafe avformat_find_stream_info(context, &options)
    guard status >= 0 else {
      throw InspectionError(.notAMovie, status: status, operation: "analyse the streams")
    }
    try checkStreamCount()
  }

  /// libavformat ignores how the pictures of an AVIF sequence are turned.
  private func turnPictures() throws(InspectionError) {
    for index in 0..<streamCount {
      let track = unsafe VideoStream(stream(index), in: context).identifier
      guard let matrix = layout?.pictureMatrix(track: track) else { continue }
      guard unsafe artwork_stream_set_display_matrix(stream(index), matrix) == 1 else {
        throw InspectionError(.outOfMemory, "out of memory", operation: "open the container")
      }
    }
  }

  /// Some demuxers continue without the streams that were refused.
  private func checkStreamCount() throws(InspectionError) {
    if LogCapture.notices.refusedStream { throw Self.tooManyStreams(limits) }
  }

  private static let encrypted = InspectionError(.unsupportedCodec, "the video is encrypted")

  private static let cutHeader = InspectionError(
    .truncated, "the file ends inside its movie header (moov)")

  private static func tooManyStreams(_ limits: Limits) -> InspectionError {
    InspectionError(
      .tooManyStreams, "the container has more than \(limits.streams) streams")
  }

  private static func refusal(
    _ status: Int32, of found: String, layout: MovieLayout?, limits: Limits
  ) -> InspectionError {
    if LogCapture.notices.refusedStream { return tooManyStreams(limits) }
    guard let layout else {
      return InspectionError(.notAMovie, status: status, operation: "open the \(found) container")
    }
    var failure = InspectionError(.notAMovie, status: status, operation: "read the movie header")
    if status == artwork_error_invalid_data() {
      failure = InspectionError(.notAMovie, "the movie header is damaged")
    }
    if failure.code == .outOfMemory {
      guard hasMemory(forIndexOf: layout.indexEntries) else { return failure }
      failure = InspectionError(.notAMovie, "the movie header is damaged")
    }
    if layout.lacksHeader {
      return cutHeader
    }
    if layout.hasEncryptedVideo { return encrypted }
    // An mp4 written in one go has its header at the end: a short copy has none.
    return layout.isCutShort
      ? InspectionError(.truncated, "the file ends before its movie header (moov)") : failure
  }

  private static func refusal(of found: String) -> InspectionError {
    let still =
      "export the artwork as an H.264 .mp4, or set a cover in motion with artworkd animate"
    return found == "webp_pipe"
      ? InspectionError(.notAMovie, "this is a WebP image, not a video asset", advice: still)
      : InspectionError(
        .notAMovie, "this is not a video file but \(describe(found))",
        advice: found.hasSuffix("_pipe") ? still : nil)
  }

  /// The usual name of the data that libavformat's demuxer of this name reads.
  private static func describe(_ format: String) -> String {
    switch format {
    case "hls", "concat", "dash", "sdp": return "a playlist (\(format))"
    case let image where image.hasSuffix("_pipe"):
      return "a \(image.dropLast("_pipe".count).uppercased()) picture"
    default: return "\(format) data"
    }
  }

  var formatName: String { unsafe String(cString: context.pointee.iformat.pointee.name) }

  private var describesItself: Bool {
    ContainerFormat.selfDescribing.contains(formatName)
      && (0..<streamCount).allSatisfy { index in
        let parameters = unsafe stream(index).pointee.codecpar.pointee
        return unsafe parameters.codec_type != AVMEDIA_TYPE_VIDEO
          || parameters.codec_id == AV_CODEC_ID_NONE
          || (parameters.width > 0 && parameters.height > 0)
      }
  }

  /// The major brand of an ISO base media file without trailing spaces.
  var majorBrand: String? {
    metadata("major_brand").map { String($0.reversed().drop { $0 == " " }.reversed()) }
  }

  /// See ``MediaFacts/restsAtEnd``.
  var statesRest: Bool { metadata("comment") == MovieWriter.restComment }

  private func metadata(_ name: String) -> String? {
    unsafe Self.value(of: name, in: context.pointee.metadata)
  }

  /// A tag of the file, or else of the first stream that has it, as in Ogg; of a long one the start.
  func tag(_ name: String) -> String? {
    var found = metadata(name)
    for index in 0..<streamCount where found == nil {
      found = unsafe Self.value(of: name, in: stream(index).pointee.metadata)
    }
    return found.map { String($0.prefix(1000)) }
  }

  private static func value(of name: String, in tags: OpaquePointer?) -> String? {
    unsafe av_dict_get(tags, name, nil, 0).map { unsafe String(cString: $0.pointee.value) }
  }

  private var streamCount: Int { unsafe Int(context.pointee.nb_streams) }

  private func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> {
    guard let stream = unsafe context.pointee.streams[index] else {
      preconditionFailure("libavformat lists a stream that is not there")
    }
    return unsafe stream
  }

  var hasAudio: Bool {
    (0..<streamCount).contains {
      unsafe stream($0).pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
  }

  private var videoIndices: [Int] {
    let videos = (0..<streamCount).filter {
      unsafe stream($0).pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && !VideoStream(stream($0), in: context).isAttachedPicture
    }
    // An AVIF sequence holds a still as well, for readers that know no movies. FFmpeg 7 lists it first.
    let moving = videos.filter { unsafe !VideoStream(stream($0), in: context).isItem }
    return moving.isEmpty ? videos : moving
  }

  private func isAlpha(_ index: Int) -> Bool {
    unsafe layout?.isAlpha(track: VideoStream(stream(index), in: context).identifier) == true
  }

  private func isEnabled(_ video: VideoStream) -> Bool {
    unsafe layout?.isEnabled(track: video.identifier) != false
  }

  var videoStreamCount: Int { videoIndices.count }

  /// The video that a player shows: the first one that contains frames (attached pictures are not video). All other
  /// streams are discarded from here on.
  func selectVideo() throws(InspectionError) -> VideoStream {
    let all = videoIndices
    let seen = all.filter { !isAlpha($0) }
    let videos = seen.isEmpty ? all : seen
    func first(_ isWanted: (VideoStream) -> Bool) -> Int? {
      videos.first { unsafe isWanted(VideoStream(stream($0), in: context)) }
    }
    // A cover may be an ordinary track, before the one that moves.
    let indexed = unsafe first { unsafe $0.indexedPacketCount > 0 }
    let moving =
      unsafe first { unsafe !$0.isStill && $0.indexedPacketCount > 0 && isEnabled($0) }
      ?? first { unsafe !$0.isStill && $0.indexedPacketCount > 0 }
    guard let chosen = unsafe moving ?? indexed ?? first({ unsafe !$0.isStill }) ?? videos.first
    else {
      if layout?.lacksHeader == true {
        throw Self.cutHeader
      }
      let cover = (0..<streamCount).contains {
        unsafe VideoStream(stream($0), in: context).isAttachedPicture
      }
      throw InspectionError(
        .noVideo,
        cover
          ? "the file has a cover picture but no video"
          : hasAudio ? "the file has sound but no video" : "the file has no video stream")
    }
    return try unsafe select(chosen)
  }

  /// The only track of transparency. All other streams are discarded from here on.
  ///
  /// - Returns: `nil` for a file without one, or with several.
  func selectAlpha() throws(InspectionError) -> VideoStream? {
    let found = videoIndices.filter { isAlpha($0) }
    guard let only = found.first, found.count == 1, videoIndices.count == 2 else { return nil }
    return try unsafe select(only)
  }

  private func select(_ chosen: Int) throws(InspectionError) -> VideoStream {
    let video = unsafe VideoStream(stream(chosen), in: context)
    if unsafe layout?.isEncrypted(track: video.identifier) == true || video.isEncrypted {
      throw Self.encrypted
    }
    guard unsafe AllowedDecoders.contains(video.codecID) else {
      throw InspectionError(.unsupportedCodec, unsafe "\(video.codecName) video is not decoded")
    }
    for index in 0..<streamCount where index != chosen {
      unsafe stream(index).pointee.discard = AVDISCARD_ALL
    }
    return unsafe video
  }

  /// Reads the next packet of any stream that is not discarded. Returns `false` at the end, which for libavformat
  /// includes data after which it cannot continue.
  ///
  /// - Throws: `out-of-memory`.
  func read(into packet: inout Packet) throws(InspectionError) -> Bool {
    packet.clear()
    let status = unsafe av_read_frame(context, packet.pointer)
    if status == artwork_error_no_memory() {
      throw InspectionError(.outOfMemory, status: status, operation: "read packets")
    }
    return status >= 0
  }

  /// Moves to the last key packet at or before `timestamp` (decoding time, stream time base).
  /// Returns whether libavformat found a place.
  func seek(stream: VideoStream, to timestamp: Int64) -> Bool {
    unsafe av_seek_frame(context, Int32(stream.index), timestamp, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// Runs `body` with the packets of audio streams among those of the video.
  func withAudio(_ body: () throws(InspectionError) -> Void) throws(InspectionError) {
    let audio = unsafe (0..<streamCount).map { unsafe stream($0) }.filter {
      unsafe $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
    for index in unsafe audio.indices { unsafe audio[index].pointee.discard = AVDISCARD_DEFAULT }
    defer {
      for index in unsafe audio.indices { unsafe audio[index].pointee.discard = AVDISCARD_ALL }
    }
    try body()
  }

  /// When the sound in a packet ends, in seconds; `nil` for packets of other streams, or without times.
  func audioEnd(of packet: borrowing Packet) -> Double? {
    let stream = unsafe stream(packet.streamIndex).pointee
    let codec = unsafe stream.codecpar.pointee
    guard unsafe codec.codec_type == AVMEDIA_TYPE_AUDIO, let pts = packet.pts,
      unsafe stream.time_base.den > 0
    else { return nil }
    let padding =
      unsafe codec.sample_rate > 0
      ? Double(packet.paddingSamples) / Double(codec.sample_rate) : 0
    return unsafe Double(pts.addingClamped(max(0, packet.duration))) * av_q2d(stream.time_base)
      - padding
  }

  /// The length that the container states, in seconds; `nil` if it states none. libavformat estimates that of streams
  /// without a header.
  var statedSeconds: Double? {
    if let layout { return layout.movieSeconds }
    let ticks = unsafe context.pointee.duration
    return formatName == ContainerFormat.matroska && ticks > 0
      ? Double(ticks) / Double(AV_TIME_BASE) : nil
  }

  /// Runs `body` with packets that have their timestamps and flags but arbitrary data: no I/O happens and no parser
  /// reads them. Only correct if the container's index is complete.
  func withoutData(_ body: () throws(InspectionError) -> Void) throws(InspectionError) {
    let flags = unsafe context.pointee.flags
    unsafe context.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
    defer { unsafe context.pointee.flags = flags }
    try input.withoutData(body)
  }
}
