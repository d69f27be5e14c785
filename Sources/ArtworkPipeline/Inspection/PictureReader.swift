import ArtworkModel

/// Pictures of chosen frames of a clip that was decoded before.
enum PictureReader {
  /// The frames by their numbers, fitted inside `box`. They are the ones that were compared: what does not
  /// look like them is decoded again in full.
  static func read(
    _ numbers: Set<Int>, _ clip: borrowing OpenClip, all: OpenClip.Everything, places: CutPlaces,
    inside box: PixelSize
  ) throws(InspectionError) -> [Int: PixelImage] {
    var differs = false
    let (layout, track) = (clip.demuxer.layout, clip.stream.identifier)
    func picture(
      _ frame: borrowing Frame, _ format: DecodedFormat
    ) throws(InspectionError) -> PixelImage {
      try FramePicture.make(
        frame, format: format,
        crop: layout?.cleanAperture(track: track, width: format.width, height: format.height)
      ) { $0.limited(to: box) }
    }
    if all.damagedFrames == 0 {
      let excerpt = try FrameExcerpt.read(
        numbers, demuxer: clip.demuxer, stream: clip.stream, table: clip.table, places: places
      ) { frame, format, number throws(InspectionError) in
        if try !all.frames.holds(FramePicture.thumbnail(frame), at: number) { differs = true }
        return try picture(frame, format)
      }
      if let excerpt, !differs { return excerpt }
    }
    var result: [Int: PixelImage] = [:]
    var number = 0
    let reader = FrameReader<Bool>(endCount: 1) { frame, format, _ throws(InspectionError) in
      if numbers.contains(number) { result[number] = try picture(frame, format) }
      number += 1
      return true
    }
    _ = try reader.read(
      demuxer: clip.demuxer, stream: clip.stream, table: clip.table, everything: true)
    return result
  }
}
