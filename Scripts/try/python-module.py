"""Tries the installed Python module on labelled clips; used by Scripts/try/install."""

import pathlib
import sys
import tempfile

import artworkd

media = pathlib.Path(sys.argv[1])


def main() -> None:
    report = artworkd.check(media / "loop-jump.mp4", profiles=["loop"])
    assert report.verdict == "fail" and report.seam is not None and report.seam.verdict == "jump"
    assert report.seam.score < 0.5 and report.findings[0].rule == "loop-seam"
    assert artworkd.check(media / "aspect-16x9.mp4", profiles=["loop"]).verdict == "pass"
    assert artworkd.check(media / "frames-1.mp4").seam is None
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder) / "seam.png"
        seam = artworkd.seam(media / "loop-seamless-fast.mp4", picture=picture)
        assert seam.loops and seam.verdict == "seamless" and seam.score > 0.5 and seam.frames > 20
        assert picture.read_bytes().startswith(b"\x89PNG") and seam.picture == str(picture)
        output = pathlib.Path(folder) / "repaired.mp4"
        repaired = artworkd.repair(media / "codec-hev1.mp4", output)
        assert repaired.status == "repaired" and repaired.repaired == ("codec-tag",) and output.stat().st_size > 1000
    try:
        artworkd.check(media / "broken-text.mp4")
    except artworkd.ToolError as error:
        assert error.status == 2 and "not a video" in str(error)
    else:
        raise AssertionError("a text file was checked")
    assert artworkd.Content("music", "Night Drive").title == "Night Drive"
    print("the Python module agrees with the labels")


main()
