"""The judge of this folder, built with the library: see the target seam-trial."""

import subprocess

from lib.tool import ROOT


def run(command, clips):
    """What the command prints of labelled clips."""
    build = ["swift", "build", "-c", "release", "--package-path", ROOT]
    subprocess.run([*build, "--product", "seam-trial"], check=True, stdout=subprocess.DEVNULL)
    folder = subprocess.run([*build, "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    table = "".join(f"{clip.path}\t{clip.tier}\t{clip.family}/{clip.source}\t{','.join(clip.accepted)}\n" for clip in clips)
    return subprocess.run([f"{folder}/seam-trial", command], input=table, check=True, stdout=subprocess.PIPE, text=True).stdout
