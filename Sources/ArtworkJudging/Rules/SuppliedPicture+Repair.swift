extension SuppliedPicture {
  /// The name with the extension of new previews.
  private var pngName: String {
    var path = FilePath(name)
    path.extension = "png"
    return path.string
  }

  package var advice: String {
    pngName == name
      ? "make it from the video" : "make \(pngName) from the video, and remove \(name)"
  }

  /// Makes it from the video, as a PNG of the same name, and keeps the original.
  package var repair: Repair {
    .artworkd(["repair"])
  }
}
