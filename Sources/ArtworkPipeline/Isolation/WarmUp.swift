import ArtworkLottie
import FoundationEssentials

/// A first inspection in the zygote, of a built-in clip. Every worker inherits its set-up (symbols of shared
/// libraries, decoder tables, the caches of the Swift runtime and of JSON), which saves each of them several
/// milliseconds. Nothing depends on its result.
enum WarmUp {
  static func run() {
    // The library that reads pictures inside animations can be loaded now only.
    AnimationRenderer.warmUp(startsThreads: false)
    guard let bytes = Data(base64Encoded: clip),
      let exchange = try? WorkerExchange(file: WorkerExchange.makeFile())
    else { return }
    defer { try? exchange.file.close() }
    do {
      let input = try InputFile(
        adopting: WorkerExchange.makeFile(holding: Array(bytes)), limits: Limits())
      try exchange.write(request: InspectJob(request: InspectionRequest(preview: .original)))
      // From here on the same steps as in a worker.
      guard let job = exchange.request()?.job else { return }
      try Worker.answer(job, on: input, limits: Limits(), exchange)
    } catch {}
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
