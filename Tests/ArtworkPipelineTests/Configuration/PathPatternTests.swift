@testable import ArtworkJudging

@Suite struct PathPatternTests {
  static func fits(_ pattern: String, _ path: String) throws -> Bool {
    try PathPattern(pattern).matches(PathPattern.Path(FilePath(path)))
  }

  @Test(arguments: [
    ("releases/**", "releases/a.mp4", true), ("releases/**", "releases/a/b/c.mp4", true), ("releases/**", "releases", false),
    ("releases/**", "old/releases/a.mp4", false), ("releases/*", "releases/a.mp4", true),
    ("releases/*", "releases/a/b.mp4", false), ("**/drafts/**", "drafts/a.mp4", true),
    ("**/drafts/**", "a/b/drafts/c/d.mp4", true), ("**/drafts/**", "a/drafts", false),
    ("**/drafts/**", "a/my-drafts/b.mp4", false), ("a/**/b.mp4", "a/b.mp4", true), ("a/**/b.mp4", "a/x/y/b.mp4", true),
    ("a/**/b.mp4", "x/a/b.mp4", false),
    // Without a slash: a name at any depth.
    ("*.tmp.mp4", "x.tmp.mp4", true), ("*.tmp.mp4", "a/b/x.tmp.mp4", true), ("*.tmp.mp4", "a/x.mp4", false),
    ("a.mp4", "b/a.mp4", true),
    // With one, even at its beginning, it starts at the folder.
    ("/a.mp4", "a.mp4", true), ("/a.mp4", "b/a.mp4", false), ("./a.mp4", "b/a.mp4", false),
    // A folder.
    ("drafts/", "x/drafts/a.mp4", true), ("drafts/", "drafts", false), ("/drafts/", "x/drafts/a.mp4", false),
    ("/drafts/", "drafts/a.mp4", true), ("x?z", "xyz", true), ("x?z", "xz", false), ("x?z", "xéz", true), ("x?z", "x/z", false),
    ("[ab]*.mp4", "b1.mp4", true), ("[ab]*.mp4", "c1.mp4", false), ("[!ab]*.mp4", "c1.mp4", true),
    ("[!ab]*.mp4", "a1.mp4", false), ("[0-9][0-9]", "42", true), ("[0-9][0-9]", "4x", false), ("[]x]", "]", true),
    ("[a-]", "-", true), ("[z-a]", "m", false), (#"\*.mp4"#, "*.mp4", true), (#"\*.mp4"#, "a.mp4", false),
    (#"[\]]"#, "]", true), ("**", "a", true), ("**", "a/b", true), ("*", "a/b", true), ("A.mp4", "a.mp4", false),
    ("a**b", "axyzb", true), ("a**/b", "a/x/b", false), ("*a*a*", "banana", true),
  ])
  func `patterns match what they state`(_ pattern: String, _ path: String, _ expected: Bool) throws {
    #expect(try Self.fits(pattern, path) == expected, "\(pattern) on \(path)")
  }

  @Test func `a byte that is no UTF-8 counts as a letter`() throws {
    let name: [UInt8] = [0x61, 0xff, 0x62]
    let path = PathPattern.Path(FilePath(bytes: name))
    #expect(try PathPattern("a?b").matches(path))
    #expect(try PathPattern("a*b").matches(path))
    #expect(try !PathPattern("ab").matches(path))
    #expect(try PathPattern("a?").matches(PathPattern.Path(FilePath(bytes: [0x61, 0xc3]))))
  }

  @Test(arguments: ["", "/", "a/../b", "[ab", "[", "a\\", "[a\\"])
  func `what is no pattern is refused`(_ text: String) { #expect(throws: PathPattern.Fault.self) { try PathPattern(text) } }

  @Test func `many wildcards do not make it slow`() throws {
    // With backtracking over each of them, neither would end in a lifetime.
    let stars = String(repeating: "a*", count: 100) + "b"
    #expect(try !Self.fits(stars, String(repeating: "a", count: 5000)))
    let folders = String(repeating: "a/**/", count: 100) + "b"
    #expect(try !Self.fits(folders, String(repeating: "a/", count: 2000) + "c"))
    #expect(try Self.fits(folders, String(repeating: "a/", count: 2000) + "b"))
  }
}
