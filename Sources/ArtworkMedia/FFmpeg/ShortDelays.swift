/// Counts the frames of a GIF or APNG with a delay of 0 or 10 ms. Browsers (Blink, Gecko) show them for 100 ms, and
/// so do the options of ``Demuxer``; libavformat does not report which frames are affected.
package enum ShortDelays {
  /// Zero for other containers, and for frames after the point where the file is damaged.
  package static func count(in input: InputFile, format: String) -> Int {
    switch format {
    case "gif": GIFOutline(BoxReader(input)).delays.count { $0 <= GIFOutline.shortDelay }
    case "apng": APNGOutline(BoxReader(input)).shortDelays
    default: 0
    }
  }
}
