@Suite struct SandboxTests {
  /// Whether this kernel has all layers of the sandbox: containers may withhold some.
  static let isComplete = (try? BuiltTool.run(["doctor"]).status) == 0
  static let absence: Comment = "this machine lacks Landlock or seccomp: see artworkd doctor"

  static let attempts = [
    "open a file", "create a file", "open a network socket", "open a local socket", "start a process", "start a thread",
    "run a program", "signal another process", "make memory executable", "duplicate a descriptor",
  ]

  @Test(.enabled(if: isComplete, absence))
  func `a worker that tries to get out is denied everything`() throws {
    let result = try BuiltTool.run(["doctor"])
    #expect(result.status == 0)
    for attempt in Self.attempts {
      let line = try #require(result.lines.first { $0.contains("  \(attempt) ") }, "\(attempt)")
      #expect(line.contains("✓"), "\(line)")
    }
    #expect(result.output.contains("descriptors 0 1 2 3 4 5\n"))
    #expect(result.output.hasSuffix("The sandbox is complete.\n"))
  }

  @Test(.enabled(if: isComplete, absence))
  func `a sandbox that is there satisfies those who require it`() throws {
    let file = Fixture.named("good-1x1.mp4").path.string
    #expect(try BuiltTool.run(["check", "--require-sandbox", file]).status == 0)
  }

  /// Runs the rest of its arguments where the kernel seems to know neither Landlock nor seccomp: the
  /// calls landlock_create_ruleset and seccomp fail with ENOSYS. The filter is set with prctl.
  static let withoutWalls = """
    import ctypes, os, platform, struct, sys
    seccomp = {'x86_64': 317, 'aarch64': 277}[platform.machine()]
    def instruction(code, k, true=0, false=0): return struct.pack('HBBI', code, true, false, k)
    program = b''.join([
      instruction(0x20, 0),                      # load the number of the call
      instruction(0x15, 444, 2, 0),              # landlock_create_ruleset
      instruction(0x15, seccomp, 1, 0),
      instruction(0x06, 0x7fff0000),             # allow
      instruction(0x06, 0x00050000 | 38),        # ENOSYS
    ])
    class Program(ctypes.Structure):
      _fields_ = [('length', ctypes.c_ushort), ('filter', ctypes.c_char_p)]
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0       # PR_SET_NO_NEW_PRIVS
    assert libc.prctl(22, 2, ctypes.byref(Program(5, program)), 0, 0) == 0  # PR_SET_SECCOMP
    os.execv(sys.argv[1], sys.argv[1:])
    """

  static func runWithoutWalls(_ arguments: [String]) throws -> BuiltTool.Result {
    try BuiltTool.run(through: "/usr/bin/python3", ["-c", withoutWalls], arguments)
  }

  /// Also the negative control of `layers`: the same attempts succeed without them.
  @Test func `where layers are missing, that is reported and the attempts succeed`() throws {
    let doctor = try Self.runWithoutWalls(["doctor"])
    #expect(doctor.status == 69)
    // New descriptors are still beyond the limit on resources.
    for attempt in ["start a process", "run a program", "signal another process", "make memory executable"] {
      let line = try #require(doctor.output.split(separator: "\n").first { $0.contains("  \(attempt) ") })
      #expect(line.contains("✗ succeeds"), "\(line)")
    }
    #expect(doctor.output.hasSuffix("The sandbox is incomplete.\n"))
  }

  @Test func `--require-sandbox refuses to start without it, and without the flag the run goes on`() throws {
    let file = Fixture.named("good-1x1.mp4").path.string
    let refused = try Self.runWithoutWalls(["check", "--require-sandbox", file])
    #expect(refused.status == 69)
    #expect(refused.output == "")
    #expect(refused.error.contains("lacks Landlock and seccomp"))
    #expect(try Self.runWithoutWalls(["check", file]).status == 0)
  }

  @Test(arguments: ["speed=3", "frames", "frames=x"])
  func `a limit that is not one is a usage error`(text: String) throws {
    let empty = try TemporaryFolder()
    #expect(try BuiltTool.run(["check", "--limit", text, empty.root.path]).status == 64)
  }
}
