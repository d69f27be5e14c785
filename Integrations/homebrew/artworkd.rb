# A formula for Homebrew on Linux and macOS. Its syntax is checked; it is untested on both.
class Artworkd < Formula
  desc "Check animated cover art, and keep it beside a player"
  homepage "https://artworkd.example"
  url "https://artworkd.example/releases/artworkd-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on "swift" => :build
  depends_on "curl"
  depends_on "ffmpeg"
  depends_on "libdeflate"
  depends_on "libpng"
  depends_on "libyaml"
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "webp"

  on_linux do
    depends_on "libseccomp"
    depends_on "systemd"
  end

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "artworkd"
    bin.install ".build/release/artworkd"
    generate_completions_from_executable(bin/"artworkd", "--generate-completion-script")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/artworkd --version")
  end
end
