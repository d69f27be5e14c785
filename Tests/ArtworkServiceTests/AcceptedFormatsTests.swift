import TestSupport

@testable import ArtworkService

@Suite struct AcceptedFormatsTests {
  private static let fields: [(String?, [PictureFormat])] = [
    // A client without preferences gets the default.
    (nil, [.png]), ("", [.png]), ("*/*", [.png, .webp, .jpeg]), ("image/*", [.png, .webp, .jpeg]),
    ("image/png", [.png]), ("IMAGE/WebP", [.webp]), ("image/jpeg", [.jpeg]),
    // The weight decides, then explicitly named types.
    ("image/webp,image/*;q=0.8", [.webp, .png, .jpeg]),
    ("image/*;q=0.8, image/webp;q=0.1", [.png, .jpeg, .webp]),
    ("image/jpeg;q=0.9, image/png;q=0.8", [.jpeg, .png]),
    ("image/jpeg, image/png", [.png, .jpeg]), ("image/jpeg, */*", [.jpeg, .png, .webp]),
    // Chromium, Firefox and curl.
    ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", [.webp, .png, .jpeg]),
    (
      "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", [.webp, .png, .jpeg]
    ),
    // Nothing that there is.
    ("image/gif", []), ("image/png;q=0", []), ("text/html", []), ("*/*;q=0", []),
    ("image/*, image/png;q=0", [.webp, .jpeg]), ("image/png;q=0.000,*/*", [.webp, .jpeg]),
    // Malformed parts are skipped.
    ("image/webp;q=x, image/jpeg", [.jpeg]), ("image, ;;, /", [.png]), ("image/png;q=2", [.png]),
    ("image/jpeg ; level=1 ; q=0.5 , image/png;q=0.4", [.jpeg, .png]),
  ]

  @Test(arguments: fields)
  func `formats come in the client's order`(field: String?, expected: [PictureFormat]) {
    #expect(AcceptedFormats.inOrder(field, of: PictureFormat.allCases) == expected)
  }

  private static let videos: [(String?, String, [WebVideo?])] = [
    // The stored file: the default.
    (nil, "video/mp4", [nil]), ("", "video/mp4", [nil]), (",;", "video/mp4", [nil]),
    ("*/*", "video/mp4", [nil, .webm, .webp]), ("video/*", "video/webm", [nil, .mp4]),
    ("video/mp4", "video/mp4", [nil]), ("video/mp4", "video/quicktime", [.mp4]),
    // Types that are named alone.
    ("image/webp", "video/mp4", [.webp]), ("Video/WebM", "video/mp4", [.webm]),
    ("image/webp", "image/webp", [nil]),
    // The weight decides; a form that has to be made weighs less than the stored file.
    ("video/webm, video/mp4", "video/mp4", [nil, .webm]),
    ("video/webm, video/mp4;q=0.5", "video/mp4", [.webm, nil]),
    ("video/webm;q=0.3, image/webp;q=0.4", "video/mp4", [.webp, .webm]),
    ("*/*, image/webp;q=0", "video/mp4", [nil, .webm]),
    ("*/*;q=0.1, video/mp4;q=0", "video/mp4", [.webm, .webp]),
    // Firefox's player, Chromium's pictures and Firefox's.
    (
      "video/webm,video/ogg,video/*;q=0.9,application/ogg;q=0.7,audio/*;q=0.6,*/*;q=0.5",
      "video/mp4", [nil, .webm, .webp]
    ),
    (
      "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "video/mp4",
      [.webp, nil, .webm]
    ),
    (
      "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", "video/mp4",
      [.webp, nil, .webm]
    ),
    // Nothing that there is.
    ("text/html", "video/mp4", []), ("image/png", "video/mp4", []), ("*/*;q=0", "video/mp4", []),
  ]

  @Test(arguments: videos)
  func `videos come in the client's order, and none has to wait without need`(
    field: String?, stored: String, expected: [WebVideo?]
  ) {
    #expect(AcceptedVideos.inOrder(field, storedAs: stored, of: WebVideo.allCases) == expected)
  }

  @Test func `a build without WebP answers as if nobody had asked for it`() {
    let fields: [(String, [PictureFormat])] = [
      ("image/webp", [.png]), ("image/webp, image/jpeg;q=0.1", [.jpeg]),
      ("image/webp, */*;q=0.1", [.png, .jpeg]),
    ]
    for (field, expected) in fields {
      #expect(AcceptedFormats.inOrder(field, of: [.png, .jpeg]) == expected)
    }
  }
}
