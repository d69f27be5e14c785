#!/usr/bin/python3
"""Makes a video of a Lottie animation as people do it with a browser: lottie-web shows each frame, a screenshot is taken, and
ffmpeg encodes the pictures.

    browser_lottie.py FILE SIDE OUT.mp4 LOTTIE_WEB

LOTTIE_WEB is the bundle of streamlit-lottie from PyPI, which holds lottie-web (Scripts/bench/lottie.py fetches it). Needs
chromium, chromedriver and python3-selenium. Prints the processor time of all processes in seconds, the browser's start included.
"""

import base64
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

# The bundle registers its modules with webpack; the one of lottie-web needs no other.
PAGE = """<!doctype html><body style="margin:0;background:black"><div id="stage" style="width:100vw;height:100vh"></div>
<script>window.webpackJsonpstreamlit_lottie = {push: (chunk) => { window.modules = Object.values(chunk[1]); }};</script>
<script>%s</script><script>
const source = window.modules.find((one) => String(one).includes('goToAndStop') && String(one).includes('loadAnimation'));
const holder = {exports: {}};
source.call(window, holder, holder.exports, {});
window.animation = holder.exports.loadAnimation({container: document.getElementById('stage'), renderer: 'svg', loop: false,
  autoplay: false, animationData: %s, rendererSettings: {preserveAspectRatio: 'xMidYMid meet'}});
</script>"""


def spent():
    """Seconds of processor time of this process, of those below it, and of those that they waited for."""
    parents, times = {}, {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rsplit(") ", 1)[1].split()
        except OSError:
            continue
        parents[int(place.parent.name)] = int(fields[1])
        times[int(place.parent.name)] = sum(int(ticks) for ticks in fields[11:15])
    def is_own(process):
        while process > 1:
            if process == os.getpid():
                return True
            process = parents.get(process, 0)
        return False
    return sum(ticks for process, ticks in times.items() if is_own(process)) / os.sysconf("SC_CLK_TCK")


def main():
    file, side, out, bundle = sys.argv[1:]
    document = json.loads(Path(file).read_text())
    options = webdriver.ChromeOptions()
    for name in ("headless=new", "no-sandbox", "disable-gpu", "hide-scrollbars"):
        options.add_argument(f"--{name}")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        script = Path(bundle).read_text().replace("</script", "<\\/script")
        page.write_text(PAGE % (script, json.dumps(document).replace("</", "<\\/")))
        driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": int(side), "height": int(side), "deviceScaleFactor": 1, "mobile": False})
        driver.get(page.as_uri())
        for _ in range(100):
            if driver.execute_script("return window.animation && window.animation.isLoaded"):
                break
            time.sleep(0.05)
        encoder = subprocess.Popen(
            ["ffmpeg", "-v", "error", "-y", "-f", "image2pipe", "-framerate", str(document["fr"]), "-i", "-", "-c:v", "libx264",
             "-crf", "16", "-pix_fmt", "yuv420p", "-movflags", "+faststart", out], stdin=subprocess.PIPE)
        for frame in range(round(document["op"] - document["ip"])):
            # The place of a frame counts from the start of the timeline.
            driver.execute_script(f"window.animation.goToAndStop({frame}, true)")
            encoder.stdin.write(base64.b64decode(driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]))
        encoder.stdin.close()
        encoder.wait()
        print(f"{spent():.2f}")
        driver.quit()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main()
