import CFFmpeg

/// An open container, read through an ``InputFile``.
struct Demuxer: ~Copyable {
  let input: InputFile
  private let context: UnsafeMutablePointer<AVFormatContext>

  /// Opens the container in `input` from its first byte. Only formats in
  /// ``ContainerFormat/allowed`` are opened.
  ///
  /// - Parameter analysing: let libavformat decode the start even where the headers say enough.
  static func open(
    _ input: InputFile, analysing: Bool = false
  ) throws(InspectionError) -> Demuxer {
    input.rewind()
    let io = try input.attachIO()
    var allocated = avformat_alloc_context()
    guard let context = allocated else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "open the container")
    }
    context.pointee.pb = io
    var options: OpaquePointer? = nil
    av_dict_set(&options, "format_whitelist", ContainerFormat.allowed.joined(separator: ","), 0)
    defer { av_dict_free(&options) }
    // On failure this frees the context, but not our I/O.
    let status = avformat_open_input(&allocated, nil, nil, &options)
    guard status >= 0, let opened = allocated else {
      throw refusal(status, input: input)
    }
    let demuxer = Demuxer(input: input, context: opened)
    if analysing || !demuxer.describesItself {
      // A failure here leaves the context open: the demuxer's deinit closes it.
      let status = avformat_find_stream_info(opened, nil)
      guard status >= 0 else {
        throw InspectionError(.notAMovie, status: status, operation: "analyse the streams")
      }
    }
    return demuxer
  }

  private init(input: InputFile, context: UnsafeMutablePointer<AVFormatContext>) {
    self.input = input
    self.context = context
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }

  private static func refusal(_ status: Int32, input: InputFile) -> InspectionError {
    let found = ContainerFormat.probe(input.bytes(at: 0, count: 4096))
    guard let found else {
      return InspectionError(.notAMovie, "this is not a video file")
    }
    if found == ContainerFormat.isoMedia {
      let failure = InspectionError(.notAMovie, status: status, operation: "read the movie header")
      let layout = MovieLayout(reading: input)
      if layout.isStillImage {
        return InspectionError(.notAMovie, "this is a HEIF image, not a video asset")
      }
      // An mp4 written in one go has its header at the end: a short copy has none.
      return layout.isCutShort
        ? InspectionError(.truncated, "the file ends before its movie header (moov)") : failure
    }
    if ContainerFormat.allowed.contains(found) {
      return InspectionError(.notAMovie, status: status, operation: "open the \(found) container")
    }
    if found == "webp_pipe" {
      return InspectionError(.notAMovie, "this is a WebP image, not a video asset")
    }
    return InspectionError(.notAMovie, "this is not a video file but \(describe(found))")
  }

  /// In people's words what libavformat calls by a demuxer's name.
  private static func describe(_ format: String) -> String {
    switch format {
    case "hls", "concat", "dash", "sdp": return "a playlist (\(format))"
    case let image where image.hasSuffix("_pipe"):
      return "a \(image.dropLast("_pipe".count).uppercased()) picture"
    default: return "\(format) data"
    }
  }

  var formatName: String { String(cString: context.pointee.iformat.pointee.name) }

  private var describesItself: Bool {
    ContainerFormat.selfDescribing.contains(formatName)
      && (0..<streamCount).allSatisfy { index in
        let parameters = stream(index).pointee.codecpar.pointee
        return parameters.codec_type != AVMEDIA_TYPE_VIDEO
          || parameters.codec_id == AV_CODEC_ID_NONE
          || (parameters.width > 0 && parameters.height > 0)
      }
  }

  /// The major brand of an ISO base media file without trailing spaces.
  var majorBrand: String? {
    guard let entry = av_dict_get(context.pointee.metadata, "major_brand", nil, 0) else {
      return nil
    }
    let brand = String(cString: entry.pointee.value)
    return String(brand.reversed().drop { $0 == " " }.reversed())
  }

  private var streamCount: Int { Int(context.pointee.nb_streams) }

  private func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> {
    guard let stream = context.pointee.streams[index] else {
      preconditionFailure("libavformat lists a stream that is not there")
    }
    return stream
  }

  var hasAudio: Bool {
    (0..<streamCount).contains {
      stream($0).pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
  }

  private var videoIndices: [Int] {
    (0..<streamCount).filter {
      stream($0).pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && !VideoStream(stream($0), in: context).isAttachedPicture
    }
  }

  var videoStreamCount: Int { videoIndices.count }

  /// The video a player shows: the first one that holds frames (attached pictures are not video).
  /// All other streams are discarded from here on.
  func selectVideo() throws(InspectionError) -> VideoStream {
    let videos = videoIndices
    guard
      let chosen = videos.first(where: {
        VideoStream(stream($0), in: context).indexedPacketCount > 0
      })
        ?? videos.first
    else {
      let cover = (0..<streamCount).contains {
        VideoStream(stream($0), in: context).isAttachedPicture
      }
      throw InspectionError(
        .noVideo,
        cover
          ? "there is a cover picture but no video"
          : hasAudio ? "there is sound but no video" : "there is no video stream")
    }
    if VideoStream(stream(chosen), in: context).codecTag == "encv" {
      throw InspectionError(.unsupportedCodec, "the video is encrypted")
    }
    for index in 0..<streamCount where index != chosen {
      stream(index).pointee.discard = AVDISCARD_ALL
    }
    return VideoStream(stream(chosen), in: context)
  }

  /// Reads the next packet of any stream that is not discarded. Returns `false` at the end, which for
  /// libavformat includes data it cannot go on after.
  func read(into packet: inout Packet) -> Bool {
    packet.clear()
    return av_read_frame(context, packet.pointer) >= 0
  }

  /// Moves to the last key packet at or before `timestamp` (decoding time, stream time base).
  /// Returns whether libavformat found a place.
  func seek(stream: VideoStream, to timestamp: Int64) -> Bool {
    av_seek_frame(context, Int32(stream.index), timestamp, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// Runs `body` with packets that carry their timestamps and flags but arbitrary data: no I/O happens
  /// and no parser looks at them. Only right where the container's index is complete.
  func withoutData(_ body: () -> Void) {
    let flags = context.pointee.flags
    context.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
    input.withoutData(body)
    context.pointee.flags = flags
  }
}
