/// The explanation of an error code, for `artworkd explain`. docs/rules.md has the same table.
struct ErrorCodeText {
  let code: InspectionError.Code

  func text(style: TextStyle, width: Int?) -> String {
    SectionText(
      name: code.rawValue, title: "an error: the file was not judged", introduction: meaning,
      sections: [
        ("Fix", InspectionError(code, "").help + "."),
        ("Exit", "code 2, unless the error is in the baseline."),
      ]
    ).render(style: style, width: width)
  }

  private var meaning: String {
    switch code {
    case .notFound: "There is no such file."
    case .unreadable: "The file cannot be opened or read."
    case .notAFile: "It is a folder, a device or a pipe."
    case .outsideFolder: "A link in the checked folder leads out of it."
    case .emptyFile: "The file is empty."
    case .changedWhileReading: "The file changed while it was read."
    case .tooLarge: "The file, or a picture in it, exceeds the limit (4 GiB; 67 million pixels)."
    case .tooLong: "The frames last longer than the limit (10 minutes), whatever the header says."
    case .tooManyFrames:
      "The video has more frames than the limit (20,000), or a table declares more samples than the file can hold."
    case .tooManyStreams: "The container has more streams than the limit (64)."
    case .notAMovie:
      "It is not a video, but text, a picture or a playlist, or damaged beyond recognition."
    case .noVideo: "The container has sound or a cover picture, but no video stream."
    case .noFrames: "The video stream has no frames."
    case .unsupportedCodec:
      "The codec is not among those that are decoded, or this FFmpeg has no decoder for it."
    case .truncated: "The file ends before or inside its movie header."
    case .decodeFailed: "No frame could be decoded, or the picture could not be converted."
    case .noMatch:
      "The animation has no marker, layer, shape or property of the name that was asked for."
    case .outOfMemory:
      "The worker needed more than its memory (1 GiB), or the machine ran out of it: use fewer `--jobs`."
    case .timedOut:
      "The worker used more than its processor time (20 s, or 120 s to decode every frame), or did not end."
    case .decoderCrashed: "The worker crashed. Other files are not affected."
    case .workerFailed: "The worker ended without a valid reply, or could not be started."
    case .previewNotWritten: "The file was inspected, but its preview could not be written."
    case .videoNotWritten: "A video was made of the file, but could not be written."
    case .notCopied: "A copy would differ from the video."
    case .notFetched: "The link is not allowed, or the server did not send the whole file."
    }
  }
}
