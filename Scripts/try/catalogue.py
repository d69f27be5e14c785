#!/usr/bin/env python3
"""Looks at a catalogue as an editor does: how much is there to read, and how far is it to the first repaired release.

    Scripts/try/catalogue.py                        makes the catalogue of Scripts/fixtures/catalogue; about two minutes
    Scripts/try/catalogue.py --catalogue FOLDER     one that was made before

Counts the lines of each text format, and the commands in it; then does as the text says: runs the first command that it
prints, and checks what that made. Fails where the first command does not repair what it was printed for. ARTWORKD names another
binary than that of the release build. Prints markdown.
"""

import json
from pathlib import Path
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.tool import ROOT, Parser, tool

FORMATS = ("text", "concise", "full")


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def commands(text):
    """The commands of a text, each once: they stand at the end of a line or alone in one, maybe behind a sign."""
    found = re.findall(r"(?:^|\s)((?:artworkd|ffmpeg) [^\n]+)$", text, re.MULTILINE)
    return list(dict.fromkeys(command.strip() for command in found))


def main():
    parser = Parser(__doc__)
    parser.add_argument("--catalogue", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = options.catalogue or Path(place, "catalogue")
        if not options.catalogue:
            subprocess.run([ROOT / "Scripts/fixtures/catalogue/make-catalogue.py", folder], check=True)
        releases = len(json.loads((folder / "labels.json").read_text()))
        files = sum(path.suffix in (".mp4", ".mkv", ".jpg", ".png") for path in folder.rglob("*"))
        print(f"{releases} releases, {files} files\n\n| format | lines | commands |\n|---|---:|---:|")
        texts = {name: run([tool(), "check", ".", "--format", name], folder).stdout for name in FORMATS}
        for name, text in texts.items():
            print(f"| `{name}` | {len(text.splitlines())} | {len(commands(text))} |")
        print("\nThe last lines:\n\n" + "".join(f"    {line}\n" for line in texts["text"].splitlines()[-12:]))

        first = commands(texts["text"])[0]
        words = shlex.split(first)
        told = run([tool(), *words[1:]], folder)
        print(f"The first command: `{first}`, exit code {told.returncode}")
        # What it made: beside the originals, or in their place.
        made = folder / words[words.index("--output-dir") + 1 if "--output-dir" in words else 2]
        new = run([tool(), "check", made, "--format", "ndjson", "--fail-on", "never"], folder).stdout
        verdicts = [row["verdict"] for row in map(json.loads, new.splitlines()) if "path" in row]
        print(f"It made {len(verdicts)} files: {', '.join(sorted(set(verdicts)))}. Steps to the first repaired release: "
              "check, copy the command, run it.")
        if not verdicts or "fail" in verdicts or "error" in verdicts:
            sys.exit("the first command does not repair what it was printed for")


if __name__ == "__main__":
    main()
