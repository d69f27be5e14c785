import ArgumentParser
import ArtworkCompanion
import ArtworkPipeline

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Show and test the sandbox, and list optional libraries.",
    discussion: """
      Starts a worker that tries what a hostile file would try; each attempt must be denied. \
      An optional library that this build lacks is not an error.

      \(ExitStatus.words)
      """)

  func run() throws {
    let inspector = try IsolatedInspector()
    let sandbox = inspector.sandbox
    let trial = try inspector.tryOut()
    var lines = [OptionalLibrary.desktopPlayers, .lottie, .webP].map { library in
      Self.line(
        library.trait, library.isPresent,
        library.isPresent
          ? [library.library, library.version].compactMap(\.self).joined(separator: " ")
          : "built without \(library.library), which \(library.use) needs")
    }
    lines += [
      "",
      Self.line("no new privileges", sandbox.renouncesPrivileges),
      Self.line(
        "Landlock", sandbox.landlockVersion > 0,
        sandbox.landlockVersion > 0 ? "version \(sandbox.landlockVersion)" : "not in this kernel"),
      Self.line("seccomp", sandbox.filtersSystemCalls),
      "", "A worker that tries to",
    ]
    for attempt in trial.attempts {
      lines.append(
        Self.line("  \(attempt.action)", attempt.denial != nil, attempt.denial ?? "succeeds"))
    }
    let inherited = trial.descriptors.map(String.init).joined(separator: " ")
    lines.append(
      Self.line("  use inherited files", trial.holdsNothingElse, "descriptors \(inherited)"))
    let holds = sandbox.isComplete && trial.holds
    lines += ["", holds ? "The sandbox is complete." : "The sandbox is incomplete."]
    try Terminal.write(Array((lines.joined(separator: "\n") + "\n").utf8))
    if !holds { throw ExitStatus.sandboxMissing.code }
  }

  private static func line(_ name: String, _ isGood: Bool, _ detail: String? = nil) -> String {
    let detail = detail ?? (isGood ? "yes" : "no")
    let gap = String(repeating: " ", count: max(1, 28 - name.count))
    return "\(name)\(gap)\(isGood ? "✓" : "✗") \(detail)"
  }
}
