@Suite("SHA-256") struct SHA256Tests {
  /// The examples of FIPS 180-4, and of no bytes (csrc.nist.gov, "Cryptographic Standards and Guidelines: Examples").
  static let examples: [(message: String, count: Int, digest: String)] = [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn" + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ), ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test(arguments: examples)
  func `has the digests of the standard's examples`(message: String, count: Int, digest: String) throws {
    let bytes = Array(String(repeating: message, count: count).utf8)
    #expect(try SHA256.digest(of: bytes).hexadecimal == digest)
  }

  @Test func `agrees with sha256sum on every length around the block size, in parts of any size`() throws {
    var noise = Noise(seed: 256)
    let folder = try TemporaryFolder()
    let lengths = Array(0...130) + [1000, 4095, 4096, 4097, 100_003]
    var digests: [String] = []
    for length in lengths {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &noise) }
      try Data(bytes).write(to: folder.url("\(length)"))
      var hash = try SHA256()
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 1...max(1, length), using: &noise))
        if Bool.random(using: &noise) {
          try hash.update(Array(part))
        } else {
          let status = unsafe part.withUnsafeBytes { buffer in Result { try unsafe hash.update(buffer) } }
          try status.get()
        }
        rest = rest.dropFirst(part.count)
      }
      digests.append(try hash.finish().hexadecimal)
    }
    let names = lengths.map(String.init)
    let printed = try run("sha256sum", names, in: folder.root)
    #expect(printed.status == 0)
    let expected = zip(digests, names).map { "\($0)  \($1)\n" }.joined()
    #expect(String(decoding: printed.output, as: UTF8.self) == expected)
  }

  @Test func `digests do not know each other, and one that is dropped half-way leaves no trace`() throws {
    var one = try SHA256()
    var other = try SHA256()
    var dropped = try SHA256()
    try dropped.update(Array("nothing".utf8))
    try one.update(Array("ab".utf8))
    try other.update([])
    try one.update(Array("c".utf8))
    #expect(try one.finish().hexadecimal == Self.examples[1].digest)
    #expect(try other.finish().hexadecimal == Self.examples[0].digest)
  }

  @Test func `threads hash at the same time`() {
    DispatchQueue.concurrentPerform(iterations: 500) { _ in
      #expect((try? SHA256.digest(of: Array("abc".utf8)))?.hexadecimal == Self.examples[1].digest)
    }
  }

  @Test(arguments: 1...16)
  func `a process may exit while its threads hash`(run: Int) async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<8 { Thread.detachNewThread { while true { _ = try? SHA256.digest(of: [1]) } } }
      usleep(20_000)
      exit(0)
    }
  }

  @Test func `a libcrypto that offers no SHA-256 is an error`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      // The provider "null" has no algorithms (OpenSSL, config(5) and OSSL_PROVIDER-null(7)).
      let configuration = """
        openssl_conf = start
        [start]
        providers = providers
        [providers]
        null = null
        [null]
        activate = 1
        """
      try Data(configuration.utf8).write(to: folder.url("openssl.cnf"))
      setenv("OPENSSL_CONF", folder.url("openssl.cnf").path, 1)
      let error = #expect(throws: DigestError.self) { try SHA256.digest(of: [1]) }
      #expect(error?.description == "cannot begin a SHA-256 digest: unsupported")
    }
  }
}
