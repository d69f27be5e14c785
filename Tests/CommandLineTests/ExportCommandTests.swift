import TestSupport

@Suite struct ExportCommandTests {
  /// A light that goes round on a coloured slope, 24 frames at 12 frames per second.
  private static func loop() throws -> MadeClip {
    let light = "40+X/2+120*exp(-(pow(X-80-40*sin(2*PI*N/24),2)+pow(Y-60-30*cos(2*PI*N/24),2))/300)"
    return try MadeClip(
      "-f lavfi -i color=black:s=160x120:r=12,format=gbrp,geq=r='\(light)':g='60+Y':b='120+X/4' "
        + "-frames:v 24 \(MadeClip.x264)")
  }

  /// An animated PNG of `frames` frames at 10 frames per second, with alpha.
  private static func clear(_ size: String, _ frames: Int, _ planes: String) throws -> MadeClip {
    try MadeClip(
      named: "clip.png",
      "-f lavfi -i color=black:s=\(size):r=10,format=rgba,geq=\(planes) -frames:v \(frames) "
        + "-plays 0 -f apng")
  }

  private static func export(_ clip: MadeClip, _ output: String, _ options: String = "") throws
    -> BuiltTool.Result
  { try clip.artworkd("export \(clip.name) -o \(output) \(options)") }

  /// Pillow's view of a file: its format, size, frames, loops, the durations of all frames in milliseconds, and the
  /// lowest alpha.
  private struct Seen: Decodable {
    var format: String
    var size: [Int]
    var loops: Int
    var durations: [Double]
    var pixels: [[Double]]
    var alpha: Int
  }

  private static func read(_ name: String, in folder: TemporaryFolder) throws -> Seen {
    let program = """
      import json, sys
      from PIL import Image
      im = Image.open(sys.argv[1])
      durations, pixels, alpha = [], [], 255
      for number in range(im.n_frames):
          im.seek(number)
          im.load()
          durations.append(im.info["duration"])
          frame = im.convert("RGBA")
          alpha = min(alpha, frame.getextrema()[3][0])
          pixels.append(list(frame.convert("RGB").resize((1, 1), Image.BOX).getpixel((0, 0))))
      print(json.dumps(dict(format=im.format, size=im.size, loops=im.info.get("loop", -1), durations=durations,
          pixels=pixels, alpha=alpha)))
      """
    let result = try folder.run("/usr/bin/python3 -c", [program, name])
    try #require(result.status == 0, "\(result.error)")
    return try JSONDecoder().decode(Seen.self, from: result.data)
  }

  @Test(
    "Pillow sees every frame for its time, for ever, and check a loop",
    arguments: built(["webp", "png", "gif"]))
  func formats(ending: String) throws {
    let clip = try Self.loop()
    let made = try Self.export(clip, "cover.\(ending)")
    #expect(made.status == 0, "\(made.error)")
    #expect(made.output.contains("160x120, 24 frames") && made.output.contains("seamless"))
    let seen = try Self.read("cover.\(ending)", in: clip.folder)
    #expect(seen.format == ending.uppercased() && seen.size == [160, 120] && seen.loops == 0)
    #expect(seen.durations.count == 24)
    #expect(abs(seen.durations.reduce(0, +) - 2000) < 1)
    // A twelfth of a second, in the format's unit.
    let ticks: [String: Double] = ["webp": 1, "gif": 10, "png": 0.01]
    let tick = try #require(ticks[ending])
    var (end, exact) = (0.0, 0.0)
    for duration in seen.durations {
      end += duration
      exact += 1000.0 / 12
      #expect(abs(end - exact) <= tick)
    }
    // The light is where it was: the mean colours are those of the video.
    let still = try clip.folder.ffmpeg(
      "-i clip.mp4 -vf scale=1:1:flags=area -f rawvideo -pix_fmt rgb24 -")
    for (number, pixel) in seen.pixels.enumerated() {
      for channel in 0..<3 {
        #expect(abs(pixel[channel] - Double(still[number * 3 + channel])) < 6)
      }
    }
  }

  @Test("a GIF that stops is copied, and encoded where something else is asked")
  func stopping() throws {
    let clip = try MadeClip(
      named: "a.gif", "-f lavfi -i testsrc2=s=96x96:r=25 -frames:v 50 -loop -1")
    let source = try clip.folder.data("a.gif")
    for (options, frames) in [("", 50), ("--fps 5", 10), ("--quality 8", 50)] {
      let name = "b\(frames)\(options.count).gif"
      let made = try Self.export(clip, name, options)
      #expect(made.output.contains("\(frames) frames, 2 s"), "\(made)")
      // The copy has the pictures of the source, behind a block of 19 bytes.
      let bytes = try clip.folder.data(name)
      #expect(bytes.suffix(1000).elementsEqual(source.suffix(1000)) == options.isEmpty)
    }
  }

  @Test(
    "what stands still has the same pixels in every frame",
    arguments: [("gif", "255"), ("gif", "128"), ("webp", "82")].filter { !built([$0.0]).isEmpty })
  func noSwimming(ending: String, quality: String) throws {
    let clip = try MadeClip(
      "-f lavfi -i color=black:s=96x96:r=10,format=gbrp,"
        + "geq=r='if(lt(Y,16)*lt(abs(X-48-30*sin(2*PI*N/20)),9),255,X+60)':g='Y+80':b='X+Y' "
        + "-frames:v 20 -c:v libx264 -qp 0 -pix_fmt yuv444p")
    let name = "cover.\(ending)"
    #expect(try Self.export(clip, name, "--quality \(quality)").status == 0)
    // The rows below those in which something moves, and those.
    let program = """
      import sys
      from PIL import Image
      im = Image.open(sys.argv[1])
      frames = []
      for number in range(im.n_frames):
          im.seek(number)
          frames.append(im.convert("RGB"))
      print(*(len({frame.crop(part).tobytes() for frame in frames}) for part in ((0, 36, 96, 96), (0, 0, 96, 16))))
      """
    let seen = try clip.folder.run("/usr/bin/python3 -c", [program, name])
    let counts = seen.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(counts.count == 2, "\(seen.error)")
    #expect(counts[0] == 1 && counts[1] >= 10, "\(counts)")
  }

  @Test(
    "--max-bytes is kept, and what was given up for it is reported",
    arguments: built(["webp", "gif", "png"]))
  func limit(ending: String) throws {
    let clip = try Self.loop()
    #expect(try Self.export(clip, "whole.\(ending)").status == 0)
    let limit = try clip.folder.data("whole.\(ending)").count / 2
    let made = try Self.export(clip, "small.\(ending)", "--max-bytes \(limit)")
    #expect(made.status == 0, "\(made.error)")
    #expect(made.output.contains("instead of") && made.output.contains("seamless"))
    let small = try clip.folder.data("small.\(ending)").count
    #expect(small <= limit && small > limit / 4, "\(small) of \(limit)")
    let none = try Self.export(clip, "none.\(ending)", "--max-bytes 200")
    #expect(none.status == 2 && none.error.contains("bytes"))
    #expect(!clip.folder.has("none.\(ending)"))
  }

  @Test(
    "transparency stays, in each format as far as it goes",
    arguments: built(["webp", "png", "gif"]))
  func alpha(ending: String) throws {
    let clip = try Self.clear(
      "64x64", 10,
      "r=200:g='4*X':b=80:a='if(lt(pow(X-32-10*sin(2*PI*N/10),2)+pow(Y-32,2),300),255,0)'")
    let made = try Self.export(clip, "cover.\(ending)")
    #expect(made.status == 0, "\(made.error)")
    let seen = try Self.read("cover.\(ending)", in: clip.folder)
    #expect(seen.durations.count == 10 && seen.alpha == 0)
  }

  @Test("an AVIF sequence has every frame for its time, and is small")
  func avif() throws {
    let clip = try Self.loop()
    let made = try Self.export(clip, "cover.avif")
    #expect(made.status == 0, "\(made.error)")
    #expect(made.output.contains("160x120, 24 frames, 2 s") && made.output.contains("seamless"))
    let lines = try clip.folder.run(
      "ffprobe -v error -show_entries "
        + "format_tags=major_brand:stream=codec_name,nb_frames:frame=pts_time -of csv=p=0 cover.avif"
    ).lines
    let times = lines.compactMap { Double($0.split(separator: ",").first ?? "") }
    #expect(times.count == 24 && lines.contains("avis") && lines.contains { $0.hasPrefix("av1") })
    for (number, time) in times.enumerated() { #expect(abs(time - Double(number) / 12) < 0.001) }
    let small = try Self.export(clip, "small.avif", "--max-bytes 3000")
    #expect(small.status == 0 && small.output.contains("instead of"), "\(small.error)")
    #expect(small.output.contains("seamless"), "what stands still is no export of it")
  }

  @Test(
    "Chromium sees through AVIF and WebM where the source is clear, at each time",
    .enabled(if: Browser.isInstalled, Browser.absence))
  func alphaInBrowser() throws {
    // A disc goes from one side to the other below a bar that is half transparent.
    let clip = try Self.clear(
      "96x64", 20,
      "r=200:g='4*Y':b=80:a='if(lt(pow(X-48-20*sin(2*PI*N/20),2)+pow(Y-32,2),300),255,if(lt(Y,10),128,0))'"
    )
    let data = try ["avif", "webm"].map { ending in
      let made = try Self.export(clip, "cover.\(ending)")
      #expect(made.status == 0 && made.output.contains("seamless"), "\(made.error)")
      return try clip.folder.data("cover.\(ending)").base64EncodedString()
    }
    try clip.folder.write("<!doctype html><title>cover</title>", to: "page.html")
    // The bar, the middle, and the disc's two turns.
    let helpers = """
      async function alphas(source) {
        const context = new OffscreenCanvas(96, 64).getContext('2d');
        context.drawImage(source, 0, 0);
        return [[5, 5], [48, 32], [24, 32], [72, 32]].map(([x, y]) => context.getImageData(x, y, 1, 1).data[3]);
      }
      """
    let seen = try Browser.see(
      clip.folder.url("page.html").absoluteString, helpers: helpers,
      steps: [
        """
        const decoder = new ImageDecoder({ data: Uint8Array.from(atob('\(data[0])'), c => c.charCodeAt(0)), type: 'image/avif' });
        const seen = [];
        for (const frameIndex of [0, 5, 15]) seen.push(...await alphas((await decoder.decode({ frameIndex })).image));
        return seen.join(' ') + ' ' + decoder.tracks.selectedTrack.repetitionCount;
        """,
        """
        const video = document.createElement('video');
        video.src = 'data:video/webm;base64,\(data[1])';
        await new Promise((done, fail) => { video.onloadeddata = done; video.onerror = () => fail(video.error.message); });
        const seen = [];
        for (const time of [0.05, 0.55, 1.55]) {
          const shown = new Promise(done => { video.requestVideoFrameCallback(done); setTimeout(done, 1000); });
          await new Promise(done => { video.onseeked = done; video.currentTime = time; });
          await shown;
          // The bar is always there. A video may be drawn before its first frame is.
          let found = await alphas(video);
          for (let tries = 0; tries < 100 && found[0] === 0; tries += 1) {
            await new Promise(done => setTimeout(done, 20));
            found = await alphas(video);
          }
          seen.push(...found);
        }
        return seen.join(' ') + ' Infinity';
        """,
      ])
    let wanted = [128, 255, 0, 0, 128, 0, 0, 255, 128, 0, 255, 0]
    for value in seen.values {
      let words = value.split(separator: " ")
      #expect(words.last == "Infinity", "\(value)")
      let alphas = words.compactMap { Int($0) }
      try #require(alphas.count == wanted.count, "\(value)")
      for (found, wanted) in zip(alphas, wanted) { #expect(abs(found - wanted) <= 3, "\(value)") }
    }
  }

  @Test("a picture above 10 MB names the smaller formats, and one below does not", .nightly)
  func large() throws {
    let clip = try MadeClip(
      "-f lavfi -i nullsrc=s=640x640:r=10,format=gbrp,"
        + "geq=r='random(1)*255':g='random(2)*255':b='random(3)*255' "
        + "-frames:v 20 -c:v libx264 -qp 0")
    let made = try Self.export(clip, "cover.png")
    let size = try clip.folder.data("cover.png").count
    #expect(made.status == 0 && size > 10_000_000, "\(size) \(made.error)")
    #expect(made.output.contains(".avif") && made.output.contains(".webp"), "\(made.output)")
    let small = try Self.export(clip, "small.png", "--width 200")
    #expect(small.status == 0 && !small.output.contains(".avif"), "\(small.output)")
  }
}
