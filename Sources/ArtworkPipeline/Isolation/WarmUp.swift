import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A first inspection in the nursery, of a clip that is built in. What it sets up (symbols of shared
/// libraries, the decoder's tables, the Swift runtime's caches) every worker then inherits instead of
/// spending several milliseconds on it. Nothing depends on its result.
enum WarmUp {
  static func run() {
    guard let bytes = Data(base64Encoded: clip), let file = try? WorkerExchange.makeFile() else {
      return
    }
    guard (try? file.writeAll(toAbsoluteOffset: 0, bytes)) != nil,
      let input = try? InputFile(adopting: file, limits: Limits()),
      let inspected = try? Inspector().inspect(
        input, InspectionRequest(preview: .original)),
      let reply = try? WorkerExchange.makeFile()
    else { return }
    try? WorkerExchange(file: reply).write(.inspection(inspected.inspection, nil))
    try? reply.close()
  }

  /// Four grey frames of 16x16, H.264 in MP4, 24 fps, made with
  /// `ffmpeg -f lavfi -i color=gray:s=16x16:r=24 -frames:v 4 -c:v libx264 -preset veryslow
  /// -pix_fmt yuv420p -x264-params bframes=1:keyint=4 -bsf:v filter_units=remove_types=6
  /// -movflags +faststart -fflags +bitexact -flags +bitexact -map_metadata -1`.
  private static let clip =
    """
    AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAANEbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAD6AAAAKcA\
    AQAAAQAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAgAAApN0cmFrAAAAXHRraGQAAAADAAAAAAAAAAAAAAABAAAAAAAAAKcAAAAAAAAAAAAAAAAAAAAAAAEA\
    AAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAABAAAAAQAAAAAAAkZWR0cwAAABxlbHN0AAAAAAAAAAEAAACn\
    AAACAAABAAAAAAILbWRpYQAAACBtZGhkAAAAAAAAAAAAAAAAAAAwAAAACABVxAAAAAAALWhkbHIAAAAAAAAAAHZpZGUA\
    AAAAAAAAAAAAAABWaWRlb0hhbmRsZXIAAAABtm1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYA\
    AAAAAAAAAQAAAAx1cmwgAAAAAQAAAXZzdGJsAAAAvnN0c2QAAAAAAAAAAQAAAK5hdmMxAAAAAAAAAAEAAAAAAAAAAAAA\
    AAAAAAAAABAAEABIAAAASAAAAAAAAAABDExhdmMgbGlieDI2NAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAANGF2Y0MB\
    ZAAK/+EAF2dkAAqsWEXsBEAAAAMAQAAADAPEiUEYAQAGaOhDjyyL/fj4AAAAABBwYXNwAAAAAQAAAAEAAAAUYnRydAAA\
    AAAAAAqAAAAKgAAAABhzdHRzAAAAAAAAAAEAAAAEAAACAAAAABRzdHNzAAAAAAAAAAEAAAABAAAAMGN0dHMAAAAAAAAA\
    BAAAAAEAAAIAAAAAAQAABAAAAAABAAAAAAAAAAEAAAIAAAAAHHN0c2MAAAAAAAAAAQAAAAEAAAAEAAAAAQAAACRzdHN6\
    AAAAAAAAAAAAAAAEAAAAEAAAAAwAAAAMAAAAEAAAABRzdGNvAAAAAAAAAAEAAAN0AAAAPXVkdGEAAAA1bWV0YQAAAAAA\
    AAAhaGRscgAAAAAAAAAAbWRpcmFwcGwAAAAAAAAAAAAAAAAIaWxzdAAAAAhmcmVlAAAAQG1kYXQAAAAMZYiCAGf//vbs\
    vgfPAAAACEGaFNiF//7gAAAACAGeInIV/8SBAAAADEGaJr8EGTKYQr/+wA==
    """
}
