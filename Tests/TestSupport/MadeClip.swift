import ArtworkModel
import Foundation
package import SystemPackage

/// Clips made by the ffmpeg program, and its view of files.
package struct MadeClip {
  package let folder: TemporaryFolder
  package let name: String

  /// - Parameters:
  ///   - input: the options up to the output.
  package init(named name: String = "clip.mp4", _ input: [String]) throws {
    folder = try TemporaryFolder()
    self.name = name
    let made = try run("ffmpeg", ["-v", "error", "-y"] + input + [name], in: folder.root)
    if made.status != 0 { throw Failure(what: made.error) }
  }

  /// The same video in a folder of its own.
  package init(named name: String, copying clip: MadeClip) throws {
    folder = try TemporaryFolder()
    self.name = name
    try FileManager.default.copyItem(at: clip.folder.url(clip.name), to: folder.url(name))
  }

  package struct Failure: Error { var what: String }

  package var path: FilePath { folder.path(name) }

  /// The digests of all frames of a file in this folder, in the order of presentation.
  package func digests(_ name: String? = nil) throws -> [String] {
    let result = try run(
      "ffmpeg",
      [
        "-v", "error", "-i", name ?? self.name, "-map", "0:v:0", "-fps_mode", "passthrough", "-f",
        "framemd5", "-",
      ],
      in: folder.root)
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  /// When the frames of a file are shown, from the first on.
  package func times(_ name: String? = nil) throws -> [Double] {
    let result = try run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of",
        "csv=p=0", name ?? self.name,
      ],
      in: folder.root)
    let times = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      .compactMap { Double($0.trimmingCharacters(in: CharacterSet(charactersIn: ", "))) }
    return times.map { $0 - (times.first ?? 0) }
  }

  /// A lead-in that is never seen again, then a circle that goes round every 2 s, at 30 fps. The pictures are
  /// drawn by an expression of the frame's number, so that the period is exactly 60 frames.
  package static func leadIn(
    _ leadFrames: Int, total: Int, size: String = "128x96", encoder: [String]
  )
    throws -> MadeClip
  {
    let x = "if(lt(N,\(leadFrames)),8+N/8,W/2+W/4*sin(2*PI*(N-\(leadFrames))/60))"
    let y = "if(lt(N,\(leadFrames)),8+N/16,H/2+H/4*cos(2*PI*(N-\(leadFrames))/60))"
    let hill = "40+200*exp(-((X-(\(x)))*(X-(\(x)))+(Y-(\(y)))*(Y-(\(y))))/250)"
    return try MadeClip(
      [
        "-f", "lavfi", "-i",
        "color=black:s=\(size):r=30,format=gray,geq=lum='\(hill)',format=yuv420p", "-frames:v",
        "\(total)",
      ] + encoder)
  }

  package static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "16"]
}
