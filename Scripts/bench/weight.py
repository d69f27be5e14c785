#!/usr/bin/env python3
"""Measures what the package weighs: a fresh release build of the tool, its bytes, and the size of sources and documents.

    Scripts/bench/weight.py [REVISION...]      the default is HEAD; several are compared in one run
    Scripts/bench/weight.py --no-build ...     lines, words and public declarations only: a second

Each revision is cloned into a temporary folder and built there. Prints markdown. Wall time holds on an idle machine only,
processor time within some percent on any. Needs git, the packages of Scripts/bootstrap, and strip.
"""

from pathlib import Path
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import ROOT, Parser, usage

BUILD = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "artworkd"]


def sizes(folder):
    """What can be counted without building."""
    swift = [path.read_text() for path in (folder / "Sources").rglob("*.swift")]
    tests = [path.read_text() for path in (folder / "Tests").rglob("*.swift")]
    # Decisions are history that nobody has to read.
    documents = [*folder.glob("*.md"), *(folder / "docs").glob("*.md")]
    return {
        "lines of Swift in Sources": sum(text.count("\n") for text in swift),
        "lines of Swift in Tests": sum(text.count("\n") for text in tests),
        "public declarations": sum(len(re.findall(r"^ *public (?!import)", text, re.M)) for text in swift),
        "words in README, ARCHITECTURE, CHANGELOG, CONTRIBUTING and docs": sum(
            len(path.read_text().split()) for path in documents),
        "lines of README.md": (folder / "README.md").read_text().count("\n"),
        "lines of ARCHITECTURE.md": (folder / "ARCHITECTURE.md").read_text().count("\n"),
    }


def build(folder):
    used = usage(BUILD, folder=folder)
    tool = folder / ".build/release/artworkd"
    stripped = folder / "stripped"
    subprocess.run(["strip", "-o", stripped, tool], check=True)
    steps = max(int(number) for number in re.findall(r"^\[\d+/(\d+)\]", used.output.decode(), re.M))
    objects = {
        path.name.removesuffix(".build"): sum(file.stat().st_size for file in path.rglob("*.o"))
        for path in (folder / ".build/release").glob("*.build")}
    heaviest = sorted(objects.items(), key=lambda pair: -pair[1])[:10]
    return {
        "release build, wall": f"{used.wall:.0f} s", "release build, processor": f"{used.cpu:.0f} s", "build steps": steps,
        "tool": f"{tool.stat().st_size / 1e6:.1f} MB", "tool, stripped": f"{stripped.stat().st_size / 1e6:.1f} MB",
        "heaviest modules, MB of objects": ", ".join(f"{name} {size / 1e6:.1f}" for name, size in heaviest),
    }


def main():
    parser = Parser(__doc__)
    parser.add_argument("revisions", nargs="*", default=["HEAD"])
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    columns = []
    for revision in options.revisions:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "artworkd"
            subprocess.run(["git", "clone", "-q", ROOT, folder], check=True)
            subprocess.run(["git", "-C", folder, "checkout", "-q", revision], check=True)
            columns.append(sizes(folder) | ({} if options.no_build else build(folder)))
    print("| | " + " | ".join(options.revisions) + " |")
    print("|---|" + "---:|" * len(columns))
    for name in columns[0]:
        print(f"| {name} | " + " | ".join(str(column[name]) for column in columns) + " |")


if __name__ == "__main__":
    sys.exit(main())
