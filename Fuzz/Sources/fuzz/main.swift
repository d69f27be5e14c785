import ArtworkPipeline
import Glibc
import SystemPackage

// libFuzzer calls this with inputs that it derives from those in its corpus; a crash, a trap or what a
// sanitizer sees ends the run and keeps the input.

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The file that is inspected, written anew each time. `Scripts/try/fuzz` removes its folder.
var template = ((getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/fuzz-XXXXXX")
  .utf8CString
  .map { $0 }
let descriptor = mkstemp(&template)
let path = FilePath(platformString: template)

let inspector = {
  var limits = Limits()
  // Small enough that a run does not dwell on one input.
  limits.pixels = 1024 * 1024
  limits.frames = 500
  return Inspector(limits: limits)
}()

func inspectOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, count, 0) == count else {
    return -1
  }
  // Every answer is right, as long as there is one.
  guard let (inspection, _) = try? inspector.inspect(path, preview: .original) else { return 0 }
  for key in ArtworkKey.allCases { _ = Rules.judge(inspection, key: key, profile: .nowPlaying) }
  return 0
}

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runDriver(&count, &arguments) { inspectOne($0, $1) })
