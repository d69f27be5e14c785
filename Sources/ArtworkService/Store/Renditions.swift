package import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
package import SystemPackage

/// A stored file, open for reading.
package struct OpenedVideo: Sendable {
  /// The open file, for the caller to close. Only a lease keeps the file itself in place.
  package var file: FileDescriptor
  package var bytes: Int64
  /// A strong ETag without its quotes.
  package var tag: String
  package var contentType: String
}

extension AssetStore {
  /// The video's file as it is, or another form of it for browsers, which is made once and kept. Callers share the work.
  ///
  /// - Parameter choosing: given the content type of the file as it is, what the caller takes, the best first; `nil` is the
  ///   file as it is. What cannot be made of this video is passed over.
  /// - Returns: `nil` where nothing was chosen.
  /// - Throws: as ``prepare(_:)``; `refused` where none of the forms can be made, `busy`, `late`, `no-space`, `failed`.
  package func video(
    _ reference: ArtworkReference, choosing: @Sendable (_ contentType: String) -> [WebVideo?]
  ) async throws(StoreError) -> OpenedVideo? {
    for _ in 0..<3 {
      let digest = try await prepareVideo(reference)
      let container = core.state.withLock { $0.assets[digest]?.container }
      let contentType = FileFormat.mediaType(ofContainer: container)
      let choices = choosing(contentType)
      guard !choices.isEmpty else { return nil }
      var refusal: StoreError?
      for choice in choices {
        do throws(StoreError) {
          var chosen = digest
          if let choice { chosen = try await made(choice, of: digest) }
          if let opened = try await open(chosen, choice?.contentType ?? contentType) {
            return opened
          }
          // It was evicted meanwhile, and is made again.
          refusal = nil
          break
        } catch {
          guard error.code == .refused else { throw error }
          refusal = refusal ?? error
        }
      }
      if let refusal { throw refusal }
    }
    throw StoreError.evictedAtOnce(reference)
  }

  /// The digest of another form.
  private func made(_ form: WebVideo, of digest: String) async throws(StoreError) -> String {
    // None for MP4.
    guard let format = core.format(digest),
      let key = RenditionKey(of: digest, format, as: .init(rawValue: form.rawValue))
    else { throw StoreError(.refused, "the video has no size that another form could have") }
    try await make(key)
    guard let made = core.state.withLock({ $0.renditions[key] }) else {
      throw StoreError(.late, "the video was evicted meanwhile; ask again")
    }
    return made
  }

  /// - Returns: `nil` for a file that was evicted meanwhile.
  private func open(
    _ digest: String, _ contentType: String
  ) async throws(StoreError) -> OpenedVideo? {
    guard try await isSound(digest), let asset = core.state.withLock({ $0.assets[digest] }) else {
      return nil
    }
    let path = core.layout.asset(digest).appending(asset.file)
    let opened = try await disk.run { _ throws(StoreError) in try? Folder.openNamed(path) }
    guard let file = opened else { return nil }
    core.touch(digest)
    return OpenedVideo(
      file: file, bytes: asset.videoBytes, tag: digest, contentType: contentType)
  }
}

/// Renditions. Each is an asset of its own, by the digest of its bytes, so that leases, the budget, verification and
/// repair treat it as any video.
extension AssetStore {
  /// Which version of a video is handed out.
  struct Version {
    /// Hexadecimal SHA-256 of the video that the artwork stands for.
    var digest: String
    /// Whether the player can play that video.
    var isPlayable: Bool
    /// The size of a rendition; `nil` for the video itself.
    var rendition: PixelSize?
  }

  /// What is waited for while it is made.
  enum Wait {
    /// Nothing: the session has a file to go on with.
    case nothing
    /// What the player could not play otherwise.
    case needed
    case best
  }

  /// The version that suits a request, whether or not it is made yet.
  ///
  /// - Returns: `nil` while the video is not stored.
  /// - Throws: `refused` for a video that the player cannot play, and of which no version could be.
  func bestVersion(
    of reference: ArtworkReference, for renditionRequest: RenditionRequest
  ) throws(StoreError) -> Version? {
    guard let digest = core.present(reference), let format = core.format(digest) else { return nil }
    if let still = Presentation.withoutVersion(of: format.codec, for: renditionRequest.codecs) {
      throw StoreError(.refused, still.reason.message)
    }
    let isPlayable = renditionRequest.plays(format.codec, breaking: brokenRules(reference) ?? [])
    let key = RenditionKey(of: digest, format, for: renditionRequest, isPlayable: isPlayable)
    return Version(digest: digest, isPlayable: isPlayable, rendition: key?.size)
  }

  /// Makes sure that an artwork's video is stored and would be shown, and chooses what is handed out of it now. What is not
  /// waited for is made meanwhile.
  ///
  /// - Returns: `nil` where the video was evicted meanwhile.
  /// - Throws: as ``prepareVideo(_:)``, ``bestVersion(of:for:)`` and ``make(_:)``; `refused` for a video that no system would
  ///   show, and `late` for a version that is needed and not waited for.
  func chooseVersion(
    of reference: ArtworkReference, for renditionRequest: RenditionRequest, waitingFor wait: Wait
  ) async throws(StoreError) -> Version? {
    try await prepareVideo(reference)
    let rules = Presentation.rulesAgainstVideo(
      brokenRules(reference) ?? [], codec(reference), for: renditionRequest.codecs)
    guard rules.isEmpty else {
      throw StoreError(
        .refused,
        "\(reference) breaks \(rules.joined(separator: ", ")), so no system would show it")
    }
    guard var version = try bestVersion(of: reference, for: renditionRequest) else { return nil }
    if let size = version.rendition {
      let key = RenditionKey(digest: version.digest, size: size)
      if core.isStored(key) { return version }
      if wait == .best || !version.isPlayable {
        do throws(StoreError) {
          try await make(key, for: reference, waitingFor: wait)
        } catch {
          guard error.code == .refused, renditionRequest.codecs == nil, let codec = codec(reference)
          else { throw error }
          throw StoreError(
            .refused, "\(error.message); a session whose videoCodecs name \(codec) gets the video",
            inspection: error.inspection)
        }
        return version
      }
      makeSoon(key)
      version.rendition = nil
    }
    // A player may take HEVC under one sample entry only, and every player takes this one.
    if let key = retagged(reference) {
      do throws(StoreError) {
        try await make(key, for: reference, waitingFor: wait)
      } catch {
        // Then it is handed out as it is, to a player that says that it plays it.
        guard error.code == .refused, renditionRequest.codecs != nil else { throw error }
      }
    }
    return version
  }

  private func make(
    _ key: RenditionKey, for reference: ArtworkReference, waitingFor wait: Wait
  ) async throws(StoreError) {
    if core.isStored(key) { return }
    guard wait != .nothing else {
      makeSoon(key)
      throw StoreError(.late, "\(reference) is still being made in \(key.size); ask again")
    }
    try await make(key)
  }

  /// A copy of an HEVC video under the sample entry that Apple systems play; `nil` for a video that has it.
  private func retagged(_ reference: ArtworkReference) -> RenditionKey? {
    guard let digest = core.present(reference), let format = core.format(digest),
      format.codec == "hevc", brokenRules(reference)?.contains("codec-tag") == true
    else { return nil }
    return RenditionKey(digest: digest, size: format.size, form: .hvc1)
  }

  /// Whether what suits a request need neither be brought nor made.
  func isAtHand(_ reference: ArtworkReference, _ request: RenditionRequest) -> Bool {
    do throws(StoreError) {
      guard let best = try bestVersion(of: reference, for: request) else { return false }
      let key = best.rendition.map { RenditionKey(digest: best.digest, size: $0) }
      return (key ?? retagged(reference)).map(core.isStored) ?? true
    } catch {
      // There is none.
      return true
    }
  }

  /// Makes the version that suits a request, for a session that will publish the artwork.
  ///
  /// - Throws: as ``chooseVersion(of:for:waitingFor:)``.
  package func makeReady(
    _ reference: ArtworkReference, _ renditionRequest: RenditionRequest
  ) async throws(StoreError) -> (bytes: Int64, codec: String, rendition: PixelSize?) {
    for _ in 0..<3 {
      let version = try await chooseVersion(
        of: reference, for: renditionRequest, waitingFor: .best)
      guard let version, let digest = core.present(reference, as: version.rendition),
        let bytes = core.state.withLock({ $0.assets[digest]?.videoBytes }),
        let codec = core.format(digest)?.codec
      else { continue }
      return (bytes, codec, version.rendition)
    }
    throw StoreError.evictedAtOnce(reference)
  }

  /// Whether a session can go on with a file that it has.
  func plays(_ key: StoreState.LeaseKey, _ renditionRequest: RenditionRequest) -> Bool {
    if key.rendition != nil { return renditionRequest.plays(RenditionKey.codec) }
    // What is not stored any more was handed out for these codecs.
    return codec(key.reference).map {
      renditionRequest.plays($0, breaking: brokenRules(key.reference) ?? [])
    } ?? true
  }

  func renditions(of reference: ArtworkReference) -> Set<RenditionKey> {
    guard let digest = core.present(reference) else { return [] }
    return core.state.withLock { state in
      Set(state.renditions.keys.filter { $0.digest == digest })
    }
  }

  /// Encodings without a waiting client are not begun while as many wait: those that a player needs come first.
  private static let mostSpeculative = 4

  private func makeSoon(_ key: RenditionKey) {
    guard clipMaker != nil, refusals[.version(key)] == nil, !renditions.contains(key),
      encoding.pending < Self.mostSpeculative
    else { return }
    Task.detached { [self] in
      do throws(StoreError) {
        try await make(key)
      } catch {
        logger.info(
          "a smaller video is not made",
          metadata: ["size": "\(key.size)", "digest": "\(key.digest)", "error": "\(error)"])
      }
    }
  }

  /// Makes a rendition, unless it is stored. Callers share the work.
  ///
  /// - Throws: `refused` when none can be made; `busy`, `late`, `no-space`, `failed`.
  func make(_ key: RenditionKey) async throws(StoreError) {
    if core.isStored(key) { return }
    if let refusal = refusals[.version(key)] { throw refusal }
    try await renditions.value(for: key) { () async throws(StoreError) in
      do throws(StoreError) {
        try await self.makeNow(key)
      } catch {
        if error.code != .late, error.code != .busy { self.refusals[.version(key)] = error }
        throw error
      }
    }
  }

  /// Moving pictures become a video as `artworkd import` makes one of them. A browser shows pictures, so that what it gets
  /// is drawn, upright and in its colours.
  private static func recipe(
    _ key: RenditionKey, of facts: MediaFacts?, _ bytes: Int64
  ) -> Recipe {
    let isOfPictures = (facts?.codec).map(Presentation.picturesByCodec.contains) ?? false
    var recipe: Recipe
    if isOfPictures || key.form == .webm {
      var drawing = Drawing()
      drawing.contentMode = .stretch
      recipe =
        key.form == .webm
        ? Recipe(drawing: drawing, size: key.size, codec: .vp9, container: .webm)
        : Recipe(drawing: drawing, size: key.size)
    } else {
      recipe = Recipe(
        content: .pictures(Encoding(form: .stored, area: .chosen(nil, .center), size: key.size)))
      recipe.encoding?.rateLimit = facts.flatMap { rateLimit(key.size, $0, bytes) }
    }
    recipe.encoding?.isQuick = true
    return recipe
  }

  /// Hardly more bits than the video has: others would only describe its artefacts. More for one whose codec needs far fewer
  /// than H.264.
  private static func rateLimit(
    _ size: PixelSize, _ facts: MediaFacts, _ bytes: Int64
  ) -> RateLimit? {
    guard facts.durationSeconds > 0, facts.frameCount > 0 else { return nil }
    let rate = Double(bytes) * 8 / facts.durationSeconds
    let frames = Double(facts.frameCount) / facts.durationSeconds
    let least = leastBits * Double(size.area) * frames
    return RateLimit(max(mostGrowth * rate, least), seconds: facts.durationSeconds)
  }

  /// Bytes of a version per byte of the video.
  private static let mostGrowth = 1.2
  /// Bits per pixel below which H.264 gets visibly worse than the video.
  private static let leastBits = 0.04

  /// A version that was made and proved.
  private struct MadeVersion {
    var ending: String
    var bytes: [UInt8]
    var inspection: Inspection
  }

  /// Blocks the calling thread.
  ///
  /// - Parameter inspection: of the video, if it is known.
  private static func version(
    _ key: RenditionKey, of file: Candidate, _ bytes: Int64, _ inspection: Inspection?,
    _ profile: Profile, by clipMaker: any JobRunner
  ) throws(InspectionError) -> MadeVersion {
    switch key.form {
    case .hvc1:
      guard let inspection else { throw InspectionError(.notCopied, "its description is missing") }
      let made = try clipMaker.retagged(file, inspection, for: profile)
      return MadeVersion(
        ending: made.container.rawValue, bytes: made.movie, inspection: made.inspection)
    case .webp:
      let made = try PictureExporter(
        clipMaker, file, as: .webp, width: key.size.width,
        mostBytes: RenditionKey.Form.mostPictureBytes
      ).export()
      return MadeVersion(ending: "webp", bytes: made.bytes, inspection: made.inspection)
    case .webm, nil:
      let recipe = recipe(key, of: inspection?.facts, bytes)
      let made = try clipMaker.encode(file, recipe)
      guard made.inspection.facts.frameCount == made.report.frameCount else {
        throw InspectionError(.workerFailed, "the version lost frames")
      }
      return MadeVersion(
        ending: recipe.container.rawValue, bytes: made.movie, inspection: made.inspection)
    }
  }

  private func makeNow(_ key: RenditionKey) async throws(StoreError) {
    guard let clipMaker else { throw StoreError(.refused, "no other version can be made") }
    guard try await isSound(key.digest), let file = core.file(key.digest) else {
      throw StoreError(.late, "the video was evicted meanwhile; ask again")
    }
    let layout = core.layout
    let bytes = core.state.withLock { $0.assets[key.digest]?.videoBytes ?? 0 }
    let known = try await disk.run { [core] _ throws(StoreError) in core.inspection(key.digest) }
    let isFirst: @Sendable () -> Bool = {
      self.core.names(of: key.digest).contains { self.isPublished($0.reference) }
    }
    let (staged, inspection) = try await encoding.run(first: isFirst) {
      [options] isCancelled throws(StoreError) in
      let made: MadeVersion
      do throws(InspectionError) {
        made = try Self.version(
          key, of: Candidate(path: file), bytes, known, options.profile,
          by: CancellableRunner(runner: clipMaker, isCancelled: isCancelled))
      } catch {
        guard !isCancelled() else { throw StoreError.cancelled }
        throw StoreError(
          error.isOfTheFile || key.form != nil && error.code == .videoNotWritten
            ? .refused : .failed, "no version of \(key.size) can be made: \(error)",
          inspection: error)
      }
      let incoming = try IncomingVideo(extension: made.ending, in: layout)
      defer { incoming.endWriting() }
      do { _ = try incoming.descriptor.writeAll(made.bytes) } catch {
        throw StoreError(error as? Errno ?? .ioError, "write a video")
      }
      return (try incoming.finish(), made.inspection)
    }
    defer { staged.remove() }
    try await onDisk { core throws(StoreError) in try core.addVersion(staged, inspection, as: key) }
    for name in core.names(of: key.digest) { notifyChange(of: name.reference) }
  }
}

extension StoreCore {
  /// The digest of what a session gets as an artwork's video, or as a smaller one; `nil` while that is not stored.
  func present(_ reference: ArtworkReference, as rendition: PixelSize?) -> String? {
    guard let digest = present(reference) else { return nil }
    return state.withLock { state in
      if let rendition { return state.renditions[RenditionKey(digest: digest, size: rendition)] }
      let size = state.assets[digest]?.previewSize ?? PixelSize(width: 0, height: 0)
      let copy = state.renditions[RenditionKey(digest: digest, size: size, form: .hvc1)]
      return copy.flatMap { state.assets[$0] == nil ? nil : $0 } ?? digest
    }
  }

  func isStored(_ key: RenditionKey) -> Bool {
    state.withLock { state in
      state.renditions[key].map { state.assets[$0] != nil } ?? false
    }
  }

  func file(_ digest: String) -> FilePath? {
    state.withLock { $0.assets[digest]?.file }.map { layout.asset(digest).appending($0) }
  }

  /// The size of a stored video as shown, and its codec.
  func format(_ digest: String) -> (size: PixelSize, codec: String)? {
    state.withLock { $0.assets[digest] }.map { ($0.previewSize, $0.codec) }
  }

  /// Makes a staged and inspected video a rendition of a stored one.
  ///
  /// - Throws: `no-space`, `failed`; `late` if no artwork has the video any more.
  func addVersion(
    _ staged: StagedVideo, _ inspection: Inspection, as key: RenditionKey
  ) throws(StoreError) {
    try change { index throws(StoreError) in
      guard state.withLock({ $0.artworks.values.contains { $0.digest == key.digest } }) else {
        throw StoreError(.late, "the artwork was removed meanwhile")
      }
      // It may be stored as the video of another artwork. Then it is a rendition until the next start.
      if !isStored(staged.digest) {
        let asset = try StoreState.Asset(staged, inspection)
        try makeRoom(for: asset.bytes, &index, sparing: key.digest)
        try move(
          staged, asset,
          AssetDocument(
            file: staged.file, bytes: staged.bytes, inspection: inspection, artworks: [],
            rendition: key), [], &index)
      }
      state.withLock { $0.renditions[key] = staged.digest }
    }
  }
}

/// What a session wants of a video.
package struct RenditionRequest: Sendable, Equatable {
  /// The box that it fills, in pixels; `nil` for the video as it is.
  package var size: PixelSize?
  /// The codecs that the player decodes; `nil` for all.
  package var codecs: Set<String>?

  package init(size: PixelSize? = nil, codecs: Set<String>? = nil) {
    self.size = size
    self.codecs = codecs
  }

  /// Whether the player plays a video of this codec. Moving pictures are not videos, unless it names their codec.
  ///
  /// - Parameter broken: the rules that the video breaks; a player that names no codecs plays what Apple's systems do.
  func plays(_ codec: String, breaking broken: [String] = []) -> Bool {
    codecs?.contains(codec)
      ?? (!Presentation.picturesByCodec.contains(codec)
        && Presentation.rulesForVersion(broken, codec).isEmpty)
  }
}

/// What a browser asks for in place of a stored file (``AssetStore/video(_:choosing:)``).
package enum WebVideo: String, Sendable, CaseIterable {
  /// H.264, in the size of the video.
  case mp4
  /// VP9, with a shorter side of at most ``RenditionKey/Form/longestShortSide`` pixels.
  case webm
  /// An animated picture, as `artworkd export` makes it.
  case webp

  package var contentType: String { self == .webp ? "image/webp" : "video/\(rawValue)" }

  /// Whether this build can make it.
  package var isAvailable: Bool { self != .webp || PictureFormat.webp.isAvailable }
}

/// A version of a stored video that the store makes itself: H.264, in a smaller size, in place of another codec or of moving
/// pictures; or another form of it.
struct RenditionKey: Hashable, Codable, Sendable {
  /// What sessions get as the video itself, and what browsers ask for.
  enum Form: String, Codable {
    /// HEVC with the packets of the video, under the sample entry that Apple systems play.
    case hvc1
    case webm, webp

    /// Size in its pixels.
    var longestShortSide: Int {
      switch self {
      case .hvc1: .max
      case .webm: 1080
      case .webp: 480
      }
    }

    /// Bytes of an animated picture: what chats and servers take without asking.
    static let mostPictureBytes = 8_000_000
  }

  /// Hexadecimal SHA-256 of the video that it is made of.
  var digest: String
  /// Displayed size in pixels; both sides are even. An animated picture may be smaller, so that its bytes fit.
  var size: PixelSize
  /// `nil` for H.264 in MP4.
  var form: Form?

  /// The codec of renditions without a ``form``.
  static let codec = Presentation.codecOfVersions

  /// The shorter sides of smaller versions, in pixels, so that windows of all sizes share a few files. Sides in the shape
  /// 3:4 come out even.
  static let sides = [240, 360, 540, 720, 1080, 1440, 2160]

  init(digest: String, size: PixelSize, form: Form? = nil) {
    self.digest = digest
    self.size = size
    self.form = form
  }

  /// Another form of a video, as large as the form and the video are.
  ///
  /// - Parameter video: its size as shown, and its codec.
  init?(of digest: String, _ video: (size: PixelSize, codec: String), as form: Form?) {
    let shorter = min(video.size.width, video.size.height)
    let most = form?.longestShortSide ?? .max
    guard
      let size = Self.even(
        video.size,
        scale: shorter > most ? Double(most) / Double(shorter) : Self.enlargement(of: video))
    else { return nil }
    self.init(digest: digest, size: size, form: form)
  }

  /// The version that suits a request; `nil` if the video itself does.
  ///
  /// - Parameters:
  ///   - video: its size as shown, and its codec.
  ///   - isPlayable: whether the player plays the video.
  init?(
    of digest: String, _ video: (size: PixelSize, codec: String),
    for renditionRequest: RenditionRequest, isPlayable: Bool
  ) {
    guard renditionRequest.plays(Self.codec),
      let size = renditionRequest.size.flatMap({ Self.size(of: video.size, filling: $0) })
        ?? (isPlayable ? nil : Self.even(video.size, scale: Self.enlargement(of: video)))
    else { return nil }
    self.init(digest: digest, size: size)
  }

  /// The smallest version that need not be enlarged to fill the box.
  ///
  /// - Returns: `nil` where it would have more than two thirds of the video's pixels: making it would not pay.
  private static func size(of video: PixelSize, filling box: PixelSize) -> PixelSize? {
    let needed = video.limited(to: box)
    let (shown, whole) = (min(needed.width, needed.height), min(video.width, video.height))
    guard let side = sides.first(where: { $0 >= shown }), side * side * 3 <= whole * whole * 2
    else { return nil }
    return even(video, scale: Double(side) / Double(whole))
  }

  /// A drawing is sharp at any size, so a small one fills the width of a phone's screen.
  private static func enlargement(of video: (size: PixelSize, codec: String)) -> Double {
    guard video.codec == "lottie" else { return 1 }
    return max(1, drawnSide / Double(max(1, min(video.size.width, video.size.height))))
  }

  private static let drawnSide = 1080.0

  private static func even(_ size: PixelSize, scale: Double) -> PixelSize? {
    func side(_ length: Int) -> Int {
      (wholeNumber((Double(length) * scale / 2).rounded(.down)) ?? 0) * 2
    }
    let (width, height) = (side(size.width), side(size.height))
    return width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
  }
}
