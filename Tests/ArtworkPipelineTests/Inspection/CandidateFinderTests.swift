@Suite struct CandidateFinderTests {
  /// A folder with the named fixtures (or text) in it.
  static func tree(_ files: [String: Content]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, content) in files {
      switch content {
      case .fixture(let file): try folder.copy(.named(file), to: name)
      case .text(let text): try folder.write(text, to: name)
      }
    }
    return folder
  }

  enum Content: ExpressibleByStringLiteral {
    case fixture(String)
    case text(String)

    init(stringLiteral text: String) { self = .text(text) }
  }

  /// Paths below the folder.
  static func found(in folder: TemporaryFolder) -> [String] {
    CandidateFinder.find([FilePath(folder.root.path)]).map { relative($0.path, to: folder) }
  }

  static func relative(_ path: FilePath, to folder: TemporaryFolder) -> String {
    String(path.string.dropFirst(folder.root.path.count + 1))
  }

  @Test func `a .ts file is a candidate if it is an MPEG stream, not if it is TypeScript or a translation`() throws {
    let folder = try Self.tree([
      "app.ts": "export const answer: number = 42\n", "mod.mts": "export {}\n",
      "app_de.ts": "<?xml version=\"1.0\"?><!DOCTYPE TS><TS language=\"de\"></TS>\n",
      "package.json": "{\"name\": \"app\", \"version\": \"1.0.0\"}\n", "empty.mov": "", "clip.mp4": .fixture("good-1x1.mp4"),
    ])
    // Five packets of 188 bytes that begin with the sync byte.
    let packet = [0x47] + [UInt8](repeating: 0xff, count: 187)
    try Data((0..<5).flatMap { _ in packet }).write(to: folder.url("stream.ts"))
    #expect(Self.found(in: folder) == ["clip.mp4", "empty.mov", "stream.ts"])
  }

  @Test func `content decides, and the extension is a second witness`() throws {
    let folder = try Self.tree([
      "video.mp4": .fixture("good-1x1.mp4"), "text.mp4": "not a video", "empty.mov": "", "UPPER.MP4": .fixture("good-3x4.mp4"),
      // Moving pictures without the name of one.
      "movie": .fixture("good-1x1.mp4"), "clip.bin": .fixture("codec-vp9.webm"), "picture.webp": .fixture("image-anim.webp"),
      "picture.dat": .fixture("image-anim.gif"),
      // The other files of album folders.
      "cover.jpg": .fixture("cover.jpg"), "cover.png": .fixture("image-png-renamed.mp4"), "cover": .fixture("cover.jpg"),
      "song.m4a": .fixture("audio-aac.mp4"), "song": .fixture("audio-only.mp4"), "notes.txt": "to do", "list.m3u8": "#EXTM3U\n",
      "empty": "",
    ])
    #expect(
      Set(Self.found(in: folder)) == [
        "video.mp4", "text.mp4", "empty.mov", "UPPER.MP4", "movie", "clip.bin", "picture.webp", "picture.dat",
      ])
  }

  @Test func `a still WebP is none`() throws {
    // "RIFF", size, "WEBP", "VP8X", chunk size, flags without animation.
    var header = Data("RIFF\u{16}\0\0\0WEBPVP8X\u{a}\0\0\0".utf8)
    header.append(contentsOf: [0x10, 0, 0, 0, 95, 0, 0, 95, 0, 0])
    let folder = try TemporaryFolder()
    try header.write(to: folder.url("still.webp"))
    header[20] |= 2
    try header.write(to: folder.url("moving.webp"))
    #expect(Self.found(in: folder) == ["moving.webp"])
  }

  @Test func `hidden files and folders are left out, unless named`() throws {
    let folder = try Self.tree([
      ".hidden.mp4": .fixture("good-1x1.mp4"), ".folder/1x1.mp4": .fixture("good-1x1.mp4"), "._1x1.mp4": "AppleDouble",
      "seen.mp4": .fixture("good-1x1.mp4"),
    ])
    #expect(Self.found(in: folder) == ["seen.mp4"])
    #expect(CandidateFinder.find([folder.path(".hidden.mp4")]).map(\.path) == [folder.path(".hidden.mp4")])
    #expect(CandidateFinder.find([folder.path(".folder")]).map(\.path) == [folder.path(".folder/1x1.mp4")])
  }

  @Test func `files come before subfolders, each by name; arguments keep their order`() throws {
    let folder = try Self.tree([
      "b/1x1.mp4": "", "b/3x4.mp4": "", "a.mp4": "", "c.mp4": "", "b/deep/er/x.mp4": "", "B/1x1.mp4": "",
    ])
    #expect(Self.found(in: folder) == ["a.mp4", "c.mp4", "B/1x1.mp4", "b/1x1.mp4", "b/3x4.mp4", "b/deep/er/x.mp4"])
    let named = CandidateFinder.find([folder.path("c.mp4"), folder.path("a.mp4"), folder.path("b")])
    #expect(
      named.map { Self.relative($0.path, to: folder) } == ["c.mp4", "a.mp4", "b/1x1.mp4", "b/3x4.mp4", "b/deep/er/x.mp4"])
  }

  @Test("files named directly are candidates whatever they are; a missing one too")
  func named() throws {
    let folder = try Self.tree(["cover.jpg": .fixture("cover.jpg")])
    let paths = [folder.path("cover.jpg"), folder.path("missing.mp4"), folder.path("no/such/folder")]
    #expect(CandidateFinder.find(paths).map(\.path) == paths)
    #expect(CandidateFinder.find([]).isEmpty)
  }

  @Test func `previews are named after the path below the folder`() throws {
    let folder = try Self.tree(["album/cover_1x1.mp4": "", "x.y.mov": ""])
    #expect(CandidateFinder.find([FilePath(folder.root.path)]).map(\.previewStem) == ["x.y", "album/cover_1x1"])
    #expect(CandidateFinder.find([folder.path("album/cover_1x1.mp4")]).map(\.previewStem) == ["cover_1x1"])
  }

  @Test func `a file that several arguments reach is checked once`() throws {
    let folder = try Self.tree(["a.mp4": "", "sub/b.mp4": ""])
    let root = FilePath(folder.root.path)
    let candidates = CandidateFinder.find([root, folder.path("sub"), folder.path("a.mp4"), folder.path("sub/../a.mp4")])
    #expect(candidates.map { Self.relative($0.path, to: folder) } == ["a.mp4", "sub/b.mp4"])
    #expect(candidates.map(\.previewStem) == ["a", "sub/b"])
  }

  @Test func `no two candidates share a preview`() throws {
    let folder = try Self.tree(["a.mp4": "", "a.mov": "", "a-mp4.mp4": "", "b.mp4": "", "sub/a.mp4": ""])
    let other = try Self.tree(["a.mp4": "", "b.mp4": "", "b-mp4.mp4": ""])
    let candidates = CandidateFinder.find([FilePath(folder.root.path), FilePath(other.root.path)])
    let stems = candidates.map { $0.previewStem.string }
    #expect(candidates.count == 8)
    #expect(Set(stems).count == 8, "\(stems)")
    let (one, two) = (folder.root.lastPathComponent, other.root.lastPathComponent)
    #expect(
      Set(stems) == [
        "\(one)/a-mp4", "\(one)/a-mov", "\(one)/a-mp4-2", "\(one)/b", "\(one)/sub/a", "\(two)/a", "\(two)/b", "\(two)/b-mp4",
      ])
    let alone = CandidateFinder.find([FilePath(folder.root.path)]).map(\.previewStem)
    #expect(Set(alone).count == 5 && Set(alone).isSuperset(of: ["a-mp4", "a-mov", "sub/a"]))
    // Names that do not collide are not changed.
    #expect(CandidateFinder.find([folder.path("b.mp4")]).map(\.previewStem) == ["b"])
  }

  @Test func `previews of several folders and of files in several folders keep their releases`() throws {
    let tree = try Self.tree([
      "one/song/1x1.mp4": "", "one/song/3x4.mp4": "", "two/song/1x1.mp4": "", "three/1x1.mp4": "", "three/1x1.mov": "",
      "three/motion/3x4.mp4": "",
    ])
    func stems(_ paths: String...) -> [FilePath] { CandidateFinder.find(paths.map(tree.path)).map(\.previewStem) }
    // Two folders of one name get a number.
    #expect(stems("one/song", "two/song", "three/motion") == ["song/1x1", "song/3x4", "song-2/1x1", "motion/3x4"])
    #expect(stems("one/song", "one/song/../song") == ["1x1", "3x4"])
    #expect(stems("two", "two/song") == ["song/1x1"])
    #expect(
      stems("one/song/1x1.mp4", "one/song/3x4.mp4", "two/song/1x1.mp4", "three/1x1.mp4") == [
        "song/1x1", "song/3x4", "song-2/1x1", "three/1x1",
      ])
    #expect(stems("one/song/1x1.mp4", "three/motion/3x4.mp4") == ["1x1", "3x4"])
    #expect(stems("three/1x1.mp4", "three/1x1.mov") == ["1x1-mp4", "1x1-mov"])
    #expect(stems("one", "three/motion/3x4.mp4") == ["song/1x1", "song/3x4", "3x4"])
  }

  @Test func `names of any bytes are kept`() throws {
    let folder = try TemporaryFolder()
    let root = FilePath(folder.root.path)
    // Not UTF-8; a line break; an emoji.
    for bytes in [[0x61, 0xff] as [UInt8], [0x0a, 0x31], Array("🎵".utf8)] {
      let name = bytes + Array(".mp4".utf8)
      let path = (Array(root.string.utf8) + [0x2f] + name + [0]).map(CChar.init(bitPattern:))
      let file = try unsafe path.withUnsafeBufferPointer {
        try unsafe FileDescriptor.open(
          $0.baseAddress.unsafelyUnwrapped, .writeOnly, options: .create, permissions: .ownerReadWrite)
      }
      try file.close()
    }
    let found = CandidateFinder.find([root])
    #expect(found.count == 3)
    for candidate in found {
      #expect(refusal { try Inspector().inspect(candidate.path) }?.code == .emptyFile, "the name was changed on the way")
    }
  }
}
