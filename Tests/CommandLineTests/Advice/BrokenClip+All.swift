/// One clip for each kind of command that a finding has.
extension BrokenClip {
  static let plays: [BrokenClip] = [
    BrokenClip(
      "container", "HEVC in Matroska", file: "a.mkv", "ffmpeg \(spin()) \(x265) a.mkv"),
    BrokenClip(
      "container", "HEVC in a transport stream", file: "a.ts", "ffmpeg \(spin()) \(x265) a.ts"),
    BrokenClip(
      "container", "H.264 in Matroska", file: "a.mkv",
      "ffmpeg \(spin(rate: "30", frames: 30)) \(x264) a.mkv"),
    BrokenClip(
      "container", "H.264 in Matroska at 23.976 fps", file: "a.mkv",
      "ffmpeg \(spin(rate: "24000/1001")) \(x264) a.mkv"),
    BrokenClip(
      "container", "H.264 and sound in a transport stream", file: "a.ts",
      "ffmpeg \(spin()) \(sound) \(x264) a.ts"),
    BrokenClip(
      "container", "H.264 in AVI", file: "a.avi", "ffmpeg \(spin()) \(x264) -bf 0 a.avi"),
    BrokenClip(
      "container", "VP9 in WebM", file: "a.webm",
      "ffmpeg \(spin()) -c:v libvpx-vp9 -deadline realtime -cpu-used 8 a.webm"),
    BrokenClip(
      "container", "a GIF", file: "a.gif", "ffmpeg \(spin(rate: "25", frames: 25)) a.gif"),
    BrokenClip(
      "container", "QuickTime for the web", for: "web", file: "a.mov",
      "ffmpeg \(spin()) \(x264) -movflags +faststart a.mov"),
    BrokenClip(
      "container", "ProRes for the web", for: "web", file: "a.mov",
      "ffmpeg \(spin()) -c:v prores_ks a.mov"),
    BrokenClip(
      "codec", "ProRes for Canvas", for: "spotify-canvas", file: "a.mov",
      "ffmpeg \(spin("90x160")) -c:v prores_ks a.mov"),
    BrokenClip("codec", "MPEG-4 Part 2", "ffmpeg \(spin()) -c:v mpeg4 -q:v 2 a.mp4"),
    BrokenClip(
      "codec", "H.264 for an artist page", for: "apple-artist-motion",
      "ffmpeg \(spin()) \(x264) a.mp4"),
    BrokenClip("codec-tag", "hev1", "ffmpeg \(spin()) \(x265) -tag:v hev1 a.mp4"),
    BrokenClip("pixel-format", "4:4:4", "ffmpeg \(spin()) \(x264) -pix_fmt yuv444p a.mp4"),
    BrokenClip("pixel-format", "10 bits", "ffmpeg \(spin()) \(x264) -pix_fmt yuv420p10le a.mp4"),
    BrokenClip(
      "pixel-format", "HLG in 4:2:2",
      "ffmpeg \(spin()) -vf \(hlg) -pix_fmt yuv422p10le \(x265) -tag:v hvc1 a.mp4"),
  ]

  static let shapes: [BrokenClip] = [
    BrokenClip("aspect-ratio", "too wide", "ffmpeg \(spin("120x96")) \(x264) a.mp4"),
    BrokenClip(
      "aspect-ratio", "too tall, with odd sides", file: "it's 3x4.mp4",
      "ffmpeg \(spin("101x161")) -pix_fmt yuv444p \(x264) \"it's 3x4.mp4\""),
    BrokenClip(
      "aspect-ratio", "square pixels that are declared 4:3",
      "ffmpeg \(spin()) -vf setsar=4/3 \(x264) a.mp4"),
    BrokenClip(
      "aspect-ratio", "anamorphic", "ffmpeg \(spin("120x96")) -vf setsar=4/3 \(x264) a.mp4"),
    BrokenClip(
      "aspect-ratio", "turned", file: "1x1.mp4",
      "ffmpeg \(spin("160x96")) \(x264) 1x1.mp4; turn 1x1.mp4 90 160 96"),
    BrokenClip(
      "letterbox", "bars above and below",
      "ffmpeg \(spin("128x92")) -vf pad=128:128:0:18 \(x264) a.mp4"),
    BrokenClip(
      "letterbox", "bars left and right", file: "3x4.mp4",
      "ffmpeg \(spin("70x160")) -vf pad=120:160:24:0 \(x264) 3x4.mp4"),
    BrokenClip(
      "decode-cost", "too many pixels", for: "tiny",
      "ffmpeg \(spin("400x400", rate: "60", frames: 30)) \(x264) a.mp4"),
    BrokenClip(
      "file-size", "too many bytes", for: "tiny",
      "ffmpeg \(spin("160x160", frames: 48)) -vf noise=alls=40:allf=t \(x264) a.mp4"
    ),
    BrokenClip(
      "bitrate", "too many bits", for: "tiny",
      "ffmpeg \(spin("160x160", frames: 48)) -vf noise=alls=40:allf=t \(x264) a.mp4"
    ),
  ]

  static let times: [BrokenClip] = [
    BrokenClip("frame-rate", "120 fps", "ffmpeg \(spin(rate: "120", frames: 120)) \(x264) a.mp4"),
    BrokenClip(
      "judder", "24 in 30 fps, every frame a keyframe",
      "ffmpeg \(spin(frames: 48)) -vf fps=30 \(x264) -g 1 a.mp4"),
    BrokenClip("judder", "24 in 60 fps", "ffmpeg \(spin(frames: 48)) -vf fps=60 \(x264) a.mp4"),
    BrokenClip("frame-rate", "61 fps", "ffmpeg \(spin(rate: "61", frames: 62)) \(x264) a.mp4"),
    BrokenClip(
      "frame-rate", "12 fps for a distributor", for: "apple-motion-distributor",
      "ffmpeg \(spin(rate: "12", frames: 24)) \(x264) a.mp4"),
    BrokenClip(
      "frame-rate-mode", "dropped frames",
      #"ffmpeg \#(spin(rate: "60", frames: 120)) -vf "select='not(eq(mod(n\,7)\,3))*not(eq(mod(n\,5)\,1))'" -fps_mode passthrough -enc_time_base 1/1000 \#(x264) a.mp4"#
    ),
    BrokenClip(
      "duration", "too short", for: "spotify-canvas", "ffmpeg \(spin("54x96")) \(x264) a.mp4"),
    BrokenClip(
      "duration", "too short, with longer sound", for: "spotify-canvas",
      "ffmpeg \(spin("54x96")) \(sound) \(x264) a.mp4"),
    BrokenClip(
      "duration", "too short and late", for: "spotify-canvas",
      "ffmpeg \(spin("54x96")) \(x264) b.mp4; ffmpeg -itsoffset 0.5 -i b.mp4 -c copy a.mp4"),
    BrokenClip(
      "duration", "too short, ProRes", for: "apple-artist-motion", file: "a.mov",
      "ffmpeg \(spin(frames: 48)) -c:v prores_ks a.mov"),
    BrokenClip(
      "start-offset", "an empty edit",
      "ffmpeg \(spin()) \(x264) b.mp4; ffmpeg -itsoffset 0.5 -i b.mp4 -c copy a.mp4"),
    BrokenClip(
      "start-offset", "an empty edit and sound",
      "ffmpeg \(spin()) \(x264) b.mp4; ffmpeg -itsoffset 0.5 -i b.mp4 \(sound) -c:v copy a.mp4"),
    BrokenClip("start-offset", "no edit list", "ffmpeg \(spin()) \(x264) -use_editlist 0 a.mp4"),
    BrokenClip(
      "start-offset", "late HEVC in QuickTime", file: "a.mov",
      "ffmpeg \(spin()) \(x265) -tag:v hvc1 b.mp4; ffmpeg -itsoffset 0.25 -i b.mp4 \(sound) -c:v copy a.mov"
    ),
    BrokenClip(
      "start-offset", "hidden frames",
      "ffmpeg \(spin()) b.y4m; ffmpeg -stream_loop 1 -i b.y4m -frames:v 30 \(x264) -g 48 b.mp4; "
        + "ffmpeg -ss 0.25 -i b.mp4 -c copy a.mp4"),
    BrokenClip(
      "loop-seam", "the first frame again",
      "ffmpeg \(spin()) b.y4m; ffmpeg -stream_loop 1 -i b.y4m -frames:v 25 \(x264) a.mp4"),
    BrokenClip(
      "loop-seam", "a jump",
      "ffmpeg \(spin(frames: 36)) b.y4m; ffmpeg -stream_loop 1 -i b.y4m -frames:v 60 \(x264) a.mp4"),
    BrokenClip(
      "fade", "fades in",
      "ffmpeg \(spin()) b.y4m; ffmpeg -stream_loop 3 -i b.y4m -vf fade=in:0:14 \(x264) a.mp4"),
    BrokenClip(
      "duration", "too long",
      "ffmpeg \(spin(rate: "12")) \(x264) b.mp4; ffmpeg -stream_loop 15 -i b.mp4 -c copy a.mp4"),
    BrokenClip(
      "audio-track", "sound", "ffmpeg \(spin()) \(sound) \(x264) a.mp4"),
    BrokenClip(
      "audio-track", "sound for a distributor", for: "apple-motion-distributor", file: "a.mov",
      "ffmpeg \(spin()) \(sound) \(x264) a.mov"),
    BrokenClip(
      "loop-gap", "sound that outlasts the video",
      "ffmpeg \(spin(frames: 48)) -f lavfi -i sine=d=2.5 \(x264) a.mp4"),
    BrokenClip(
      "loop-gap", "sound in Matroska", file: "a.mkv",
      "ffmpeg \(spin(frames: 48)) -f lavfi -i sine=d=2.5 \(x264) a.mkv"),
    BrokenClip(
      "loop-gap", "sound in fragments",
      "ffmpeg \(spin(frames: 48)) -f lavfi -i sine=d=2.5 \(x264) -movflags +frag_keyframe+empty_moov a.mp4"
    ),
    BrokenClip(
      "loop-gap", "a last frame that is held",
      "ffmpeg \(spin(frames: 48)) \(x264) -bf 0 b.mp4; "
        + "ffmpeg -i b.mp4 -c copy -bsf:v \"setts=duration='if(eq(N,47),DURATION*13,DURATION)'\" a.mp4"
    ),
    BrokenClip("fast-start", "header last", for: "web", "ffmpeg \(spin()) \(x264) a.mp4"),
    BrokenClip(
      "closed-gop", "open GOPs", for: "web",
      "ffmpeg \(spin(frames: 48)) -c:v libx264 -g 8 -keyint_min 8 -bf 3 -x264-params open-gop=1:scenecut=0 a.mp4"
    ),
  ]

  static let colors: [BrokenClip] = [
    BrokenClip(
      "color", "PQ",
      "ffmpeg \(spin()) -vf \(pq) -pix_fmt yuv420p10le \(x265) -tag:v hvc1 a.mp4"),
    BrokenClip(
      "color", "HLG for a distributor", for: "apple-motion-distributor",
      "ffmpeg \(spin()) -vf \(hlg) -pix_fmt yuv420p10le \(x265) -tag:v hvc1 a.mp4"),
    BrokenClip(
      "color", "P3",
      "ffmpeg \(spin()) -vf setparams=colorspace=bt709:color_primaries=smpte432:color_trc=bt709 \(x264) a.mp4"
    ),
    BrokenClip(
      "color", "P3 for a distributor", for: "apple-motion-distributor",
      "ffmpeg \(spin()) -vf setparams=colorspace=bt709:color_primaries=smpte432:color_trc=bt709 \(x264) a.mp4"
    ),
    BrokenClip(
      "color", "BT.601 for a distributor", for: "apple-motion-distributor",
      "ffmpeg \(spin()) -vf setparams=colorspace=smpte170m:color_primaries=smpte170m:color_trc=smpte170m \(x264) a.mp4"
    ),
    BrokenClip("color", "no matrix, H.264", "ffmpeg \(spin()) \(x264) a.mp4"),
    BrokenClip("color", "no matrix, HEVC", "ffmpeg \(spin()) \(x265) -tag:v hvc1 a.mp4"),
    BrokenClip(
      "color", "no matrix, ProRes", for: "apple-artist-motion", file: "a.mov",
      "ffmpeg \(spin()) -c:v prores_ks a.mov"),
  ]

  private static let hlg =
    "setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=arib-std-b67"
  private static let pq = "setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084"

  static let all = plays + shapes + times + colors

  /// One whose command is `artworkd loop`, which prints the commands that help.
  static let loops: [BrokenClip] = [
    BrokenClip(
      "blank-first-frame", "begins black",
      #"ffmpeg \#(spin()) b.y4m; ffmpeg -stream_loop 3 -i b.y4m -vf "drawbox=t=fill:c=black:enable='lt(n,1)'" \#(x264) a.mp4"#
    )
  ]
}
