/// Pictures of chosen frames of a clip that was decoded before.
enum PictureReader {
  /// The frames by their numbers, fitted inside `box`. They are the ones that were compared: if one does not match
  /// its measured thumbnail, the clip is decoded again in full.
  static func read(
    _ numbers: Set<Int>, _ clip: borrowing OpenClip, decoded: DecodedClip, places: CutPlaces,
    inside box: PixelSize
  ) throws(InspectionError) -> [Int: PixelImage] {
    var differs = false
    func shared(
      _ frame: borrowing Frame, _ format: DecodedFormat, _ number: Int
    ) throws(InspectionError) -> VideoFrame {
      try clip.videoFrame(frame, format, number: number)
    }
    if decoded.damagedFrames == 0 {
      let excerpt = try FrameExcerpt.read(
        numbers, demuxer: clip.demuxer, stream: clip.stream, table: clip.table, places: places
      ) { frame, format, number throws(InspectionError) in
        let frame = try shared(frame, format, number)
        if try !decoded.frames.holds(frame.thumbnail(), at: number) { differs = true }
        return try frame.picture { $0.limited(to: box) }
      }
      if let excerpt, !differs { return excerpt }
    }
    var result: [Int: PixelImage] = [:]
    _ = try FrameReader(endCount: 1).read(
      demuxer: clip.demuxer, stream: clip.stream, table: clip.table, everyFrame: true
    ) { frame, format, place throws(InspectionError) in
      guard numbers.contains(place.number) else { return }
      result[place.number] = try shared(frame, format, place.number).picture { $0.limited(to: box) }
    }
    return result
  }
}
