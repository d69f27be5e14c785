import ArtworkModel
import ArtworkPipeline
import ArtworkService
import Foundation
package import SystemPackage
import Testing

/// The HTML report in headless Chromium.
package struct Page {
  /// Waits until something is so, for 45 seconds at most.
  package static let until = """
    const until = async (test) => {
      for (let turn = 0; turn < 900; turn++) {
        if (test()) return true;
        await new Promise((done) => setTimeout(done, 50));
      }
      return false;
    };
    const all = (selector) => [...document.querySelectorAll(selector)];
    const shown = () => all('.card:not([hidden]) .name').map((name) => name.textContent).join(' ');
    const choose = (id, value) => {
      const control = document.getElementById(id);
      control.value = value;
      control.dispatchEvent(new Event(id === 'search' ? 'input' : 'change'));
    };
    const press = (key) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const settle = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    """

  /// The results of the scripts, as text.
  package var values: [String]
  /// The console's messages.
  package var log: [String]

  /// Opens the report as `report.html` in `folder` and runs the scripts one after the other.
  ///
  /// - Parameter fragment: of the page's address.
  package init(
    _ report: CheckReport, in folder: TemporaryFolder, _ view: Browser.View = .init(),
    fragment: String = "", contents: @escaping @Sendable (FilePath) -> [UInt8]? = { _ in nil },
    scripts: [String]
  ) throws {
    var setting = ReportSetting(currentFolder: FilePath(folder.root.path), toolVersion: "1.2.3")
    setting.contents = contents
    let file = folder.url("report.html")
    try Data(try HTMLReport.render(report, setting).utf8).write(to: file)
    let seen = try Browser.see(
      file.absoluteString + (fragment.isEmpty ? "" : "#" + fragment), view, helpers: Self.until,
      steps: scripts)
    (values, log) = (seen.values, seen.log)
  }
}

extension ReportImages {
  /// Pictures of a clip as ffmpeg makes them: three frames at each end, the difference of last and first.
  package static func made(of clip: URL, frames: Int, steps: [Double], seamStep: Double) throws
    -> ReportImages
  {
    let folder = try TemporaryFolder()
    func picture(_ name: String, _ graph: String) throws -> [UInt8] {
      let made = try run(
        "ffmpeg",
        [
          "-v", "error", "-i", clip.path, "-i", clip.path, "-filter_complex", graph, "-frames:v",
          "1", name,
        ],
        in: folder.root)
      try #require(made.status == 0, "\(made.error)")
      return Array(try Data(contentsOf: folder.url(name)))
    }
    let start = "setpts=N/TB"
    return ReportImages(
      preview: try picture("preview.jpg", "[0]scale=240:-2"),
      strip: try picture(
        "strip.jpg",
        "[0]trim=start_frame=\(frames - 3),\(start)[a];[1]trim=end_frame=3,\(start)[b];[a][b]concat,scale=120:-2,tile=6x1"
      ), framesBeforeSeam: 3,
      heatMap: try picture(
        "heat.jpg",
        "[0]trim=start_frame=\(frames - 1),\(start)[a];[1]trim=end_frame=1,\(start)[b];[a][b]blend=all_mode=difference,scale=120:-2"
      ), steps: steps, seamStep: seamStep)
  }
}
