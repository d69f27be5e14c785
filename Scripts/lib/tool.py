"""The built tool: where it is, what it reports, and what programs cost."""

import argparse
from dataclasses import dataclass
import json
import os
from pathlib import Path
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = Path(__file__).resolve().parents[2]
MEDIA = ROOT / "Tests/Fixtures/media"
# Files of others, where they are there.
SHARED = ROOT.parent / "shared"


def tool(built=".build/release/artworkd"):
    """The path of the tool: what ARTWORKD names, or a build."""
    name = os.environ.get("ARTWORKD", ROOT / built)
    return Path(shutil.which(name) or name).absolute()


class Parser(argparse.ArgumentParser):
    """Prints the documentation of a script as its help, and exits with 64 for wrong usage."""

    def __init__(self, documentation):
        super().__init__(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: {message}\n")


def check(files, *options, program=None):
    """The results of `artworkd check` by path. `files` is a folder, or a list of files."""
    listed = not isinstance(files, Path)
    command = [program or tool(), "check", "--no-cache", "--quiet", "--fail-on", "never", "--format", "ndjson", *options,
               "-" if listed else files]
    told = subprocess.run(command, input="".join(f"{file}\n" for file in files) if listed else "", capture_output=True, text=True)
    if told.returncode:
        raise RuntimeError(f"{command[0]} ended with {told.returncode}: {told.stderr[-2000:]}")
    results = map(json.loads, told.stdout.splitlines())
    return {result["path"]: result for result in results if "path" in result}


def rules(result):
    """The rules that a result of `check` raises."""
    return {finding["rule"] for finding in result.get("findings", [])}


def report(file, *options, program=None):
    """The only result of `artworkd check` of a file."""
    told = subprocess.run([program or tool(), "check", "--no-cache", "--format", "json", *options, file], capture_output=True, text=True)
    try:
        return json.loads(told.stdout)["results"][0]
    except (ValueError, KeyError, IndexError):
        return {"error": {"code": "no-report", "message": told.stderr.strip()[-200:]}}


# MARK: Costs


@dataclass
class Usage:
    """What a program and the children it waited for used: seconds, and MiB of the largest one."""

    cpu: float
    wall: float
    rss: float
    output: bytes = b""


def usage(command, codes=(0,), environment=None, folder=None):
    """Runs a program to its end; exits where its code is none of these."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                   cwd=folder, env=environment and {**os.environ, **environment})
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        for file in (output, errors):
            file.seek(0)
        if process.returncode not in codes:
            sys.exit(f"exit code {process.returncode}: {' '.join(map(str, command))[:300]}\n"
                     + errors.read().decode(errors="replace")[-2000:])
        return Usage(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, output.read())


def seconds(command, codes=(0,)):
    """The processor time of a program."""
    return usage(command, codes).cpu


def compiled(source, target, *libraries, options=("-O2",)):
    """Compiles a C program with libraries of pkg-config."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries], check=True, capture_output=True, text=True).stdout.split() \
        if libraries else []
    subprocess.run(["cc", *options, "-o", target, source, *flags], check=True)
    return target
