/// The name people use for a codec, from the one FFmpeg uses.
func codecTitle(_ codec: String) -> String {
  switch codec {
  case "h264": "H.264"
  case "hevc": "HEVC"
  case "prores": "ProRes"
  case "h263": "H.263"
  case "mpeg1video": "MPEG-1"
  case "mpeg2video": "MPEG-2"
  case "mpeg4": "MPEG-4 Part 2"
  case "mjpeg": "Motion JPEG"
  case "qtrle": "QuickTime Animation"
  case "theora": "Theora"
  default: codec.uppercased()
  }
}
