#!/usr/bin/env python3
"""Measures artworkd against the limit; see README.md. Prints markdown."""

import itertools
import os
from pathlib import Path
import re
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from lib.tool import ROOT, Parser, Usage, compiled, tool, usage

BENCH = ROOT / ".build" / "bench"
OUT = BENCH / f"out-{os.getpid()}"  # emptied for each measurement
LIBRARIES = ["libavformat", "libavcodec", "libavutil", "libswscale", "libpng", "libdeflate"]
ENDS = 8  # frames at each end that artworkd compares
BROKEN = "17 %"  # of the length that make-corpus.py cuts off
LINKS = 3  # hard links of one file in one process, to take the start-up out of its cost


# MARK: Measuring


def empty(folder):
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir()


def run(command):
    """Runs a command to its end with an empty output folder."""
    empty(OUT)
    return usage(command)


def measure(commands, repeats):
    """Medians for each of the named commands, run in turns, each turn starting with another one."""
    runs = {name: [] for name in commands}
    for turn in range(repeats):
        names = list(commands)
        for name in names[turn % len(names):] + names[: turn % len(names)]:
            runs[name].append(run(commands[name]))
    return {name: Usage(*(statistics.median(getattr(usage, field) for usage in usages)
                          for field in ["cpu", "wall", "rss"]))
            for name, usages in runs.items()}


def say(words):
    print(words, file=sys.stderr, flush=True)


# MARK: The tools


class Tools:
    """How each contender is called. `artworkd` is None where it was not built."""

    def __init__(self):
        found = tool()
        self.artworkd = found if found.exists() else None
        self.limit = BENCH / "limit"

    def build(self):
        BENCH.mkdir(parents=True, exist_ok=True)
        compiled(HERE / "limit.c", self.limit, *LIBRARIES, options=("-std=gnu11", "-O3", "-Wall", "-Wextra"))
        subprocess.run([HERE / "make-corpus.py"], check=True)

    def check(self, files, jobs=1):
        return [self.artworkd, "check", "--no-cache", "--jobs", jobs, "--format", "ndjson", "--preview-dir", OUT,
                "--fail-on", "never", *files]

    def ours(self, files):
        """The limit and, where it was built, artworkd."""
        commands = {"limit": [self.limit, OUT, *files]}
        if self.artworkd:
            commands["artworkd"] = self.check(files)
        return commands

    def seam(self, file):
        """The contenders of the seam, with a preview each."""
        commands = {"limit": [self.limit, OUT, file], "limit, same frames": [self.limit, "--ends", ENDS, OUT, file]}
        if self.artworkd:
            commands["artworkd"] = self.check([file])
        return commands

    def whole(self, file):
        """Those that decode all of it."""
        commands = {"ffmpeg": ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-i", file, "-map", "0:v:0",
                               "-f", "null", "-"]}
        if self.artworkd:
            commands["--thorough"] = self.examine([file], "--thorough")
        return commands

    def examine(self, files, *options):
        """A check without previews."""
        return [self.artworkd, "check", "--no-cache", "--jobs", 1, "--format", "ndjson", "--fail-on", "never", *options,
                *files]


# MARK: Printing


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|---" + "|--:" * (len(header) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print(flush=True)


def ratio(value):
    return "-" if value is None else f"{value:.2f}x"


def milliseconds(seconds):
    return f"{seconds * 1000:.1f} ms"


def target(words, value, goal, at_most):
    """One row of a table of targets."""
    if value is None:
        return words, "-", "", "not measured"
    met = value <= goal if at_most else value >= goal
    return words, ratio(value), f"{'at most' if at_most else 'at least'} {goal}x", "met" if met else "MISSED"


def targets(rows):
    table(["target", "measured", "goal", ""], rows)


def over(numerator, denominator, field="cpu"):
    """The ratio of one field of two measurements, or None if one of them is missing."""
    if numerator is None or denominator is None:
        return None
    return getattr(numerator, field) / getattr(denominator, field)


# MARK: The sections


def batch(tools, plan):
    """The whole corpus in one process"""
    commands = tools.ours(plan.corpus)
    if tools.artworkd:
        run(tools.check(plan.corpus))
        previews = len(list(OUT.glob("*.png")))
        if previews != len(plan.corpus):
            print(f"**artworkd wrote {previews} previews for {len(plan.corpus)} files: the figures do not compare.**\n")
    results = measure(commands, plan.repeats)
    limit = results["limit"]
    table(["one process, one thread", "CPU", "wall", "peak RSS", "CPU to limit"],
          [(name, f"{usage.cpu:.2f} s", f"{usage.wall:.2f} s", f"{usage.rss:.0f} MiB", ratio(over(usage, limit)))
           for name, usage in results.items()])
    targets([target("CPU of artworkd to limit", over(results.get("artworkd"), limit), 1.10, at_most=True)])


def size_class(file):
    width = int(file.name.split("-")[2].split("x")[0])
    return "to 720" if width <= 720 else "to 1440" if width <= 1440 else "above"


def links(file):
    """Several names of one file."""
    folder = BENCH / f"links-{os.getpid()}"
    empty(folder)
    names = [folder / f"{number}{file.suffix}" for number in range(LINKS)]
    for name in names:
        os.link(file, name)
    return names


def marginal_commands(tools, file):
    """The commands of `ours` on several names of one file."""
    return {f"{name} batch": command for name, command in tools.ours(links(file)).items()}


def files(tools, plan):
    """CPU of each file"""
    measured = {}
    for number, file in enumerate(plan.corpus, 1):
        say(f"  {number}/{len(plan.corpus)} {file.name}")
        commands = tools.ours([file]) | marginal_commands(tools, file)
        cpu = {name: usage.cpu for name, usage in measure(commands, plan.repeats).items()}
        for name in tools.ours([]):
            cpu[f"{name} batch"] = (cpu[f"{name} batch"] - cpu[name]) / (LINKS - 1)
        measured[file] = cpu

    def median(group, name, base):
        ratios = [measured[file][name] / measured[file][base] for file in group if name in measured[file]
                  and base in measured[file]]
        return statistics.median(ratios) if ratios else None

    def row(words, group):
        cells = [milliseconds(statistics.median(measured[file][name] for file in group)) for name in ["limit", "limit batch"]]
        return words, *cells, ratio(median(group, "artworkd", "limit")), ratio(median(group, "artworkd batch", "limit batch"))

    header = ["limit, alone", "limit, in a batch", "artworkd", "artworkd, in a batch"]
    print('"Alone" is one process a file, start-up and loading of libraries included; so is "artworkd", as a multiple of '
          '"limit, alone". "In a batch" is what one more file costs a running process '
          f"(({LINKS} files - 1 file) / {LINKS - 1}); that last column is a multiple of \"limit, in a batch\".\n")
    table(["file", *header], [row(file.stem, [file]) for file in plan.corpus])

    def classes(key):
        return [row(f"{name} ({len(group)})", group) for name, group in
                ((name, list(group)) for name, group in itertools.groupby(sorted(plan.corpus, key=key), key))]

    print("Medians:\n")
    table(["class (files)", *header],
          classes(lambda file: f"{file.name.split('-')[0]}, GOP {file.name.split('-')[1]}")
          + classes(lambda file: f"width {size_class(file)}") + [row(f"all ({len(plan.corpus)})", plan.corpus)])


def memory(tools, plan):
    """Peak memory, one file at a time"""
    peaks = {file: {name: run(command).rss for name, command in tools.ours([file]).items()} for file in plan.corpus}

    def worst(group):
        return max((peaks[file]["artworkd"] / peaks[file]["limit"] for file in group), default=None)

    rows = []
    for name in ["to 720", "to 1440", "above"]:
        group = [peaks[file] for file in plan.corpus if size_class(file) == name]
        if group:
            cells = [f"{max(peak['limit'] for peak in group):.0f} MiB"]
            if tools.artworkd:
                more = statistics.median(peak["artworkd"] - peak["limit"] for peak in group)
                cells += [f"{max(peak['artworkd'] for peak in group):.0f} MiB", f"{more:+.0f} MiB",
                          ratio(max(peak["artworkd"] / peak["limit"] for peak in group))]
            else:
                cells += ["-", "-", "-"]
            rows.append((f"width {name} ({len(group)})", *cells))
    table(["class (files)", "limit, largest", "artworkd, largest", "median difference", "largest ratio"], rows)
    large = [file for file in plan.corpus if size_class(file) == "above"] if tools.artworkd else []
    targets([target("artworkd to limit, largest ratio of the large files", worst(large), 1.2, at_most=True)])


def scaling(tools, plan):
    """Two cores over many files"""
    names = plan.scaling
    halves = [" ".join([f"'{tools.limit}' '{OUT}'", *(f"'{name}'" for name in half)])
              for half in [names[: len(names) // 2], names[len(names) // 2 :]]]
    commands = {"limit, 1 process": tools.ours(names)["limit"],
                "limit, 2 processes": ["sh", "-c", f"{halves[0]} & {halves[1]} & wait"]}
    if tools.artworkd:
        commands |= {f"artworkd --jobs {jobs}": tools.check(names, jobs) for jobs in [1, 2]}
    results = measure(commands, plan.repeats)
    table([f"{len(names)} files", "wall", "CPU", "files a second"],
          [(name, f"{usage.wall:.2f} s", f"{usage.cpu:.2f} s", f"{len(names) / usage.wall:.1f}")
           for name, usage in results.items()])
    hardware = over(results["limit, 1 process"], results["limit, 2 processes"], "wall")
    print(f"Two processes of the limit, which share nothing, give {ratio(hardware)} here: what this machine can do.\n")
    if hardware < 1.8:
        print("**The machine is busy: it has no two cores to give now, so the figure below does not hold.**\n")
    gain = over(results.get("artworkd --jobs 1"), results.get("artworkd --jobs 2"), "wall")
    targets([target("throughput of two jobs to one", gain, 1.8, at_most=False)])


def isolation(tools, plan):
    """Workers against inspection in one process"""
    if not tools.artworkd:
        return
    names = plan.scaling
    small = plan.small[0]
    batches = {"in process": ["env", "ARTWORKD_NO_ISOLATION=1", *tools.check(names, 2)], "workers": tools.check(names, 2)}
    results = measure(batches, 2 * plan.repeats + 1)
    table([f"{len(names)} files, two jobs", "wall", "CPU", "CPU a file", "largest process"],
          [(name, f"{usage.wall:.2f} s", f"{usage.cpu:.2f} s", milliseconds(usage.cpu / len(names)), f"{usage.rss:.0f} MiB")
           for name, usage in results.items()])
    single = {"in process": ["env", "ARTWORKD_NO_ISOLATION=1", *tools.check([small])], "workers": tools.check([small])}
    alone = measure(single, 41)
    table(["one small file", "wall", "CPU"],
          [(name, milliseconds(usage.wall), milliseconds(usage.cpu)) for name, usage in alone.items()])
    targets([target("batch, CPU of workers to in process", over(results["workers"], results["in process"]), 1.05, at_most=True),
             target("batch, wall time of workers to in process", over(results["workers"], results["in process"], "wall"), 1.05,
                    at_most=True)])
    more = alone["workers"].wall - alone["in process"].wall
    print(f"One small file takes {milliseconds(more)} more in a worker: {'met' if more <= 0.015 else 'MISSED'} (at most 15 ms).\n")


def linear(tools, plan):
    """Cost against the number of files"""
    counts = [len(plan.small) // 4, len(plan.small) // 2, len(plan.small)]
    results = [measure(tools.ours(plan.small[:count]), plan.repeats) for count in counts]
    names = list(results[0])
    table(["small files", *(f"{name}, CPU a file" for name in names)],
          [(count, *(milliseconds(result[name].cpu / count) for name in names)) for count, result in zip(counts, results)])
    growth = over(results[-1].get("artworkd"), results[0].get("artworkd"))
    growth = growth and growth * counts[0] / counts[-1]
    targets([target(f"artworkd, CPU a file with {counts[-1]} files to {counts[0]} files", growth, 1.05, at_most=True)])


def duration(tools, plan):
    """Cost against duration, a key frame a second"""
    clips = [BENCH / "duration" / f"{seconds:02}s.mp4" for seconds in [5, 10, 20, 30]]
    commands = {(clip, name): command for clip in clips for name, command in tools.ours([clip]).items()}
    results = measure(commands, 3 * plan.repeats)

    def growth(clip, name):
        return over(results.get((clip, name)), results.get((clips[0], name)))

    table(["clip", "limit", "to 5 s", "artworkd", "to 5 s"],
          [(clip.stem, milliseconds(results[clip, "limit"].cpu), ratio(growth(clip, "limit")),
            milliseconds(results[clip, "artworkd"].cpu) if tools.artworkd else "-", ratio(growth(clip, "artworkd")))
           for clip in clips])
    targets([target("artworkd, 30 s to 5 s", growth(clips[-1], "artworkd"), 1.05, at_most=True)])


def startup(tools, plan):
    """Start-up: the preview of one small file"""
    small = plan.small[0]
    commands = {"limit": tools.ours([small])["limit"]}
    if tools.artworkd:
        commands["artworkd preview"] = [tools.artworkd, "preview", small, "-o", OUT / "preview.png"]
    results = measure(commands, 20)
    table(["", "CPU", "wall", "peak RSS"],
          [(name, milliseconds(usage.cpu), milliseconds(usage.wall), f"{usage.rss:.0f} MiB")
           for name, usage in results.items()])


# Where the time of a sample goes: the first kind of which a word is in a function on its stack.
KINDS = {
    "measuring the seam": ["SeamMeasurement", "SeamClip", "SeamWindow", "SeamTrace", "DistinctFrames", "FrameStep",
                           "ComparedFrame", "FrameCells", "artwork_flow"],
    "reducing frames": ["BoxAverage", "Thumbnail", "artwork_box", "Sharpness", "artwork_unevenness"],
    "judging, reports": ["Judge", "Rule", "ReportDocument", "JSONReport"],
}


def profile(tools, file):
    """Seconds of each kind, by perf; None without it."""
    if not shutil.which("perf"):
        return None
    data = BENCH / f"perf-{os.getpid()}"
    empty(data)
    command = ["env", "ARTWORKD_NO_ISOLATION=1", *tools.examine([file])]
    rate = 5000
    recording = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(rate), "-g", "-o", data / "data", "--", *command]
    if subprocess.run([*map(str, recording)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        return None
    script = subprocess.run(["perf", "script", "-i", data / "data", "-F", "ip,sym,dso"], check=True,
                            capture_output=True, text=True).stdout
    found = dict.fromkeys([*KINDS, "decoding", "the rest"], 0)
    for stack in script.split("\n\n"):
        if not stack.strip():
            continue
        kinds = (kind for kind, words in KINDS.items() if any(word in stack for word in words))
        found[next(kinds, "decoding" if "libav" in stack or "libsw" in stack else "the rest")] += 1
    return {kind: samples / rate for kind, samples in found.items()}


def decoding_class(file):
    """How much of a clip its ends cost: all of it, a half, little."""
    codec, gop = file.name.split("-")[:2]
    if gop != "250":
        return "key frames only" if gop == "intra" else "a key frame a second"
    rate, seconds = (float(re.search(f"-([0-9.]+){unit}[-.]", file.name)[1]) for unit in ["fps", "s"])
    return "one GOP" if rate * seconds <= 250 else "several GOPs"


def seam(tools, plan):
    """The seam: what judging it costs"""
    if not tools.artworkd:
        return
    few, many = ([plan.small[0]], links(plan.small[0]))
    cost = measure({"one": tools.check(few), "many": tools.check(many)}, 11)
    startup = cost["one"].cpu - (cost["many"].cpu - cost["one"].cpu) / (LINKS - 1)
    print(f"Processor time with the preview, less the start-up of artworkd ({milliseconds(startup)}). The limit decodes three "
          f"frames at each end; of the same frames, {ENDS}. Broken clips are the same packets without the last {BROKEN}.\n")

    costs = {}
    for number, loop in enumerate(plan.corpus, 1):
        say(f"  {number}/{len(plan.corpus)} {loop.name}")
        for words, file in [("loops", loop), ("broken", BENCH / "broken" / loop.name)]:
            cpu = {name: usage.cpu for name, usage in measure(tools.seam(file), plan.repeats).items()}
            cpu["artworkd"] -= startup
            costs.setdefault((words, decoding_class(loop)), []).append(cpu)

    def total(groups, base):
        cpus = [cpu for group in groups for cpu in costs.get(group, [])]
        return sum(cpu["artworkd"] for cpu in cpus) / sum(cpu[base] for cpu in cpus) if cpus else None

    def worst(group, base):
        return max(cpu["artworkd"] / cpu[base] for cpu in costs[group])

    table(["clips", "", "to limit", "largest", "to limit, same frames", "largest"],
          [(f"{words}, {kind} ({len(costs[words, kind])})", milliseconds(statistics.median(cpu["artworkd"] for cpu in costs[words, kind])),
            *itertools.chain.from_iterable((ratio(total([(words, kind)], base)), ratio(worst((words, kind), base)))
                                           for base in ["limit", "limit, same frames"]))
           for words, kind in sorted(costs)])

    def groups(words):
        return [group for group in costs if group[0] == words]

    whole = {file: measure(tools.whole(file), plan.repeats) for file in plan.corpus}
    thorough = sum(usage["--thorough"].cpu - startup for usage in whole.values()) / sum(usage["ffmpeg"].cpu for usage in whole.values())
    one = [group for group in costs if group[1] == "one GOP"]
    targets([target("clips that loop, to limit", total(groups("loops"), "limit"), 1.4, True),
             target("clips that do not, to limit", total(groups("broken"), "limit"), 1.8, True),
             target("clips of one GOP, to limit", total(one, "limit"), 1.1, True),
             target("all clips, to limit with the same frames", total(costs, "limit, same frames"), 1.1, True),
             target("--thorough to ffmpeg", thorough, 1.1, True)])

    shares = [share for file in plan.corpus if (share := profile(tools, file))]
    if shares:
        print("By `perf record`, in one process, each clip that loops alone:\n")
        table(["", "median", "largest"], [(kind, milliseconds(statistics.median(share[kind] for share in shares)),
                                           milliseconds(max(share[kind] for share in shares))) for kind in shares[0]])
        analysis = statistics.median(share["measuring the seam"] for share in shares)
        print(f"Measuring the seam, median: {milliseconds(analysis)}: {'met' if analysis < 0.012 else 'MISSED'} (under 12 ms).\n")
    else:
        print("No perf, so not measured directly.\n")


def checksums(command, environment=None):
    lines = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.splitlines()
    return [line for line in lines if not line.startswith("#")]


def exact(tools, plan):
    """The limit's six frames against a full decode"""
    empty(OUT)
    different = []
    for file in plan.corpus:
        lines = checksums([tools.limit, OUT, file], os.environ | {"LIMIT_MD5": "1"})
        six = [line.split() for line in lines if line.startswith("md5 ")]
        limit = [digest for _, _, digest in sorted(six, key=lambda words: int(words[1]))]
        full = [line.split(",")[-1].strip() for line in checksums(
            ["ffmpeg", "-nostdin", "-v", "error", "-i", file, "-map", "0:v:0", "-fps_mode", "passthrough",
             "-f", "framemd5", "-"])]
        if limit != full[:3] + full[-3:]:
            different.append(file.name)
    print(f"{len(plan.corpus) - len(different)} of {len(plan.corpus)} files are bit-exact with `ffmpeg -f framemd5`.\n")
    for name in different:
        print(f"- **differs: {name}**")


SECTIONS = {section.__name__: section for section in [batch, files, memory, scaling, isolation, linear, duration, startup, seam, exact]}


@dataclass
class Plan:
    """What is measured, and how often."""

    corpus: list
    scaling: list
    small: list
    repeats: int


def plan_for(quick, sample, repeats):
    folders = [sorted(path for path in (BENCH / name).iterdir() if path.is_file()) for name in ["corpus", "scaling", "small"]]
    corpus, scaling_files, small = folders
    # Into the page cache, and not into this process: a child's peak memory counts from its fork.
    subprocess.run(["cat", *corpus, *small], check=True, stdout=subprocess.DEVNULL)
    if quick:
        return Plan(corpus[::7], scaling_files[:40], small[::10], 1)
    return Plan(corpus[::sample], scaling_files, small, repeats)


def main():
    parser = Parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="6 files, once")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="every Nth clip of the corpus")
    parser.add_argument("--repeats", type=int, default=3, help="medians of so many runs (default 3)")
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections, of: %(default)s")
    options = parser.parse_args()
    chosen = options.only.split(",")
    unknown = [name for name in chosen if name not in SECTIONS]
    if unknown:
        parser.error(f"no such section: {', '.join(unknown)}")

    tools = Tools()
    tools.build()
    plan = plan_for(options.quick, options.sample, options.repeats)
    print("# Benchmark\n")
    version = subprocess.run(["ffmpeg", "-version"], check=True, capture_output=True, text=True).stdout.split()[2]
    print(f"ffmpeg {version}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start; {len(plan.corpus)} "
          f"clips; medians of {plan.repeats} runs, interleaved. CPU is user + system, with child processes.\n")
    if not tools.artworkd:
        print("**artworkd is missing** (`swift build -c release`, or set `ARTWORKD`): the rest is measured without it.\n")
    for name in chosen:
        say(name)
        print(f"## {SECTIONS[name].__doc__} ({name})\n")
        SECTIONS[name](tools, plan)


if __name__ == "__main__":
    try:
        main()
    except (subprocess.CalledProcessError, OSError) as error:
        sys.exit(f"bench: {error}")
    finally:
        for folder in BENCH.glob(f"*-{os.getpid()}"):
            shutil.rmtree(folder)
