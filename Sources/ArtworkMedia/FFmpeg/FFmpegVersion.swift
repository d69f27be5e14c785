import CFFmpeg

/// The libraries that were loaded, not those that this was built with.
package enum FFmpegVersion {
  /// The versions, for example `5.1.9-0+deb12u1 59.27.100 59.37.100 6.7.100`, including the builder's patch level.
  package static var text: String {
    let name = av_version_info().map { String(cString: $0) } ?? "unknown"
    let parts = [avformat_version(), avcodec_version(), swscale_version()].map {
      "\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)"
    }
    return ([name] + parts).joined(separator: " ")
  }
}
