#!/usr/bin/env python3
"""Runs the GitHub action, the GitLab job and the git hook as their services would, from a clean checkout of the last commit
and with the tarball of dist/portable/ as the release.

    Scripts/portable
    Scripts/fixtures/catalogue/make-catalogue.py FOLDER
    Scripts/try/ci.py FOLDER        # two or three minutes

FOLDER is copied anew for each run, as a checkout makes it, so that every file has a new inode and new times; only what a
service keeps in its cache is carried over. The hook's tool is in a layer over /usr that ends with the run. Needs
root, for that layer, and PyYAML. Prints what each run took, and fails where something is not as docs/ci.md says.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_SECONDS = 30


def expect(condition, what):
    print(f"  {'ok  ' if condition else 'NOT '} {what}", flush=True)
    if not condition:
        sys.exit(1)


class Machine:
    """One run of a job: a new folder, a new home, and a new layer over /usr."""

    def __init__(self, place, repository, catalogue):
        self.place = place
        shutil.rmtree(place, ignore_errors=True)
        for name in ("home", "temporary", "upper", "work"):
            (place / name).mkdir(parents=True)
        self.project = place / "project"
        shutil.copytree(catalogue, self.project / "releases", copy_function=shutil.copyfile)
        self.repository = repository

    def run(self, script, environment=None, shell=("bash", "--noprofile", "--norc", "-eo", "pipefail")):
        """Exit code, standard output, standard error."""
        layer = (f"mount -t tmpfs none {self.place}/upper && mkdir {self.place}/upper/u {self.place}/upper/w && "
                 f"mount -t overlay overlay -o lowerdir=/usr,upperdir={self.place}/upper/u,workdir={self.place}/upper/w /usr && "
                 f"if [ -e {self.place}/installed ]; then cp -a {self.place}/installed/usr/. /usr/; fi && "
                 f"cd {self.project} && exec \"$@\"")
        told = subprocess.run(
            ["unshare", "--mount", "sh", "-c", layer, "sh", *shell, "-c", script],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.place / "home"),
                 "TMPDIR": str(self.place / "temporary"), "LC_ALL": "C.UTF-8", **(environment or {})},
            capture_output=True, text=True, check=False)
        return told.returncode, told.stdout, told.stderr


class Action:
    """The composite action, with what its expressions may ask for."""

    def __init__(self, machine, inputs, kept):
        self.machine, self.kept = machine, kept
        self.action = yaml.safe_load((machine.repository / "Integrations/github/action.yml").read_text())
        defaults = {name: value["default"] for name, value in self.action["inputs"].items()}
        self.values = {f"inputs.{name}": value for name, value in {**defaults, **inputs}.items()}
        self.values |= {
            "github.server_url": f"file://{machine.place.parent}", "github.action_repository": "releases-of/artworkd",
            "github.action_path": str(machine.repository / "Integrations/github"), "github.run_id": str(time.time_ns()),
            "github.run_attempt": "1", "runner.os": "Linux", "runner.arch": "X64"}
        self.failed = None
        self.log = ""

    def fill(self, text):
        return re.sub(r"\$\{\{\s*(.+?)\s*\}\}", lambda found: self.values.get(found[1], ""), str(text))

    def applies(self, condition):
        if condition is None:
            return self.failed is None
        words = re.sub(r"\b(?:inputs|steps|github)\.[\w.-]+", lambda found: repr(self.values.get(found[0], "")), condition)
        always = "always()" in words
        words = words.replace("always()", "True").replace("&&", " and ").replace("||", " or ")
        if not re.fullmatch(r"(True|and|or|==|!=|'[^']*'|[()\s])*", words):
            sys.exit(f"a condition that this runner does not know: {condition}")
        return (always or self.failed is None) and bool(eval(words))  # words and literals only

    def run(self):
        for step in self.action["runs"]["steps"]:
            if not self.applies(step.get("if")):
                continue
            if "uses" in step:
                self.use(step["uses"].split("@")[0], {name: self.fill(value) for name, value in step["with"].items()})
            else:
                self.shell(step)
        for path, kept in self.caches.items():
            if path.exists():
                shutil.copytree(path, kept, symlinks=True)

    caches: dict

    def use(self, name, given):
        if name == "actions/cache":
            path = self.machine.place / "home" / given["path"].removeprefix("~/")
            kept = self.kept / given["key"]
            earlier = kept if kept.exists() else None
            prefix = given.get("restore-keys")
            if earlier is None and prefix:
                earlier = max(self.kept.glob(prefix + "*"), key=lambda place: place.stat().st_mtime, default=None)
            if earlier:
                shutil.copytree(earlier, path, symlinks=True)
            if not kept.exists():
                self.caches[path] = kept
        elif name == "actions/upload-artifact":
            source = self.machine.project / given["path"]
            if source.exists():
                shutil.copytree(source, self.machine.place / "artifact" / given["name"])
        else:
            sys.exit(f"an action that this runner does not know: {name}")

    def shell(self, step):
        output, summary = self.machine.place / "output", self.machine.place / "summary"
        output.write_text("")
        environment = {name: self.fill(value) for name, value in step.get("env", {}).items()}
        environment |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_ACTIONS": "true"}
        status, told, error = self.machine.run(step["run"], environment)
        self.log += told
        if status and self.failed is None:
            self.failed = status
            self.error = error
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{name}"] = value


def github(work, repository, catalogue, version):
    print("GitHub's action")
    kept = work / "kept"
    kept.mkdir()
    logs = []
    for name in ("new", "unchanged"):
        machine = Machine(work / f"github-{name}", repository, catalogue)
        action = Action(machine, {"version": version, "paths": "releases\n"}, kept)
        action.caches = {}
        began = time.monotonic()
        action.run()
        seconds = time.monotonic() - began
        annotations = [line for line in action.log.splitlines() if line.startswith("::")]
        print(f"  {name}: {seconds:.1f} s, {len(annotations)} annotations, {len(action.log.splitlines())} lines of log")
        expect(action.failed == 1, "it fails with artworkd's exit code, 1" if action.failed == 1 else
               f"it fails with artworkd's exit code: {action.failed} {getattr(action, 'error', '')}")
        expect(0 < len(annotations) <= 30, "at most ten annotations of a level")
        for level in ("error", "warning", "notice"):
            expect(sum(line.startswith(f"::{level} ") for line in annotations) <= 10, f"at most ten of the level {level}")
        expect("checked:" in action.log.splitlines()[-1], "the log ends with what was found in all")
        summary = (machine.place / "summary").read_text()
        expect(len(summary.encode()) <= 65_536 and "releases/" in summary, "the summary of the job names files, in 64 KiB")
        page = machine.place / "artifact/artworkd-reports/index.html"
        expect(page.exists(), f"the page is an artifact, {page.stat().st_size / 1e6:.1f} MB")
        sarif = json.loads((machine.project / action.values["steps.check.outputs.sarif"]).read_text())
        expect(sarif["version"] == "2.1.0", "the output sarif names a report")
        logs.append(annotations)
    expect(logs[0] == logs[1], "the unchanged catalogue gets the same annotations")
    expect(seconds < MOST_SECONDS, f"the unchanged catalogue takes less than {MOST_SECONDS} s")
    machine = Machine(work / "github-wrong", repository, catalogue)
    action = Action(machine, {"version": "9.9.9", "paths": "releases"}, kept)
    action.caches = {}
    action.run()
    expect(action.failed not in (None, 1, 2) or "curl" in action.error, "a release that is not there is an error")


def gitlab(work, repository, catalogue, release, version):
    print("GitLab's job")
    text = (repository / "Integrations/gitlab/artworkd.gitlab-ci.yml").read_text()
    job = yaml.safe_load(text)["artworkd"]
    kept = work / "kept-gitlab"
    for name in ("new", "unchanged"):
        machine = Machine(work / f"gitlab-{name}", repository, catalogue)
        digest = next(line for line in (release / "SHA256SUMS").read_text().splitlines() if ".tar.xz" in line).split()[0]
        variables = {**job["variables"], "ARTWORKD_PATHS": "releases", "ARTWORKD_RELEASE": f"file://{release}",
                     "ARTWORKD_VERSION": version, "ARTWORKD_SHA256": digest}
        variables = {key: value.replace("$CI_PROJECT_DIR", str(machine.project)) for key, value in variables.items()}
        paths = [machine.project / path for path in job["cache"]["paths"]]
        for path in paths:
            if (kept / path.name).exists():
                shutil.copytree(kept / path.name, path)
        began = time.monotonic()
        status, told, error = machine.run("\n".join(job["script"]), variables, shell=("sh", "-e"))
        seconds = time.monotonic() - began
        print(f"  {name}: {seconds:.1f} s, {len(told.splitlines())} lines")
        expect(status == 1, f"it fails with artworkd's exit code{'' if status == 1 else f': {status} {error}'}")
        for path in paths:
            expect(path.exists(), f"{path.name} is there to be kept")
            shutil.rmtree(kept / path.name, ignore_errors=True)
            shutil.copytree(path, kept / path.name)
        for report in (*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]):
            expect((machine.project / report).exists(), f"{report} is there")
    expect(seconds < MOST_SECONDS, f"the unchanged catalogue takes less than {MOST_SECONDS} s")


def hook(work, repository, catalogue, tarball):
    print("The hook")
    machine = Machine(work / "hook", repository, catalogue)
    programs = machine.place / "installed/usr/bin"
    programs.mkdir(parents=True)
    subprocess.run(["tar", "-xJf", tarball, "-C", programs, "--strip-components=1", "--wildcards", "*/artworkd"], check=True)
    labels = json.loads((catalogue / "labels.json").read_text())
    sound = next(name for name, rules in labels.items() if not rules)
    wrong = next(name for name, rules in labels.items() if "codec" in rules or "frame-rate" in rules)
    status, _, error = machine.run(f"""
        git init --quiet && git config user.name a && git config user.email a@b
        cp "{repository}/Integrations/git/pre-commit" .git/hooks/pre-commit
        git add "releases/{sound}" && git commit --quiet -m sound""")
    expect(status == 0, f"a sound release is committed{'' if status == 0 else ': ' + error}")
    status, told, error = machine.run(f'git add "releases/{wrong}" && git commit --quiet -m wrong')
    expect(status == 1, "a broken one is not")
    expect(wrong in told + error, "and the hook says which")
    status, _, error = machine.run("git commit --quiet --no-verify -m wrong")
    expect(status == 0, "--no-verify goes past it")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    catalogue = pathlib.Path(sys.argv[1]).resolve()
    tarballs = sorted((ROOT / "dist/portable").glob("artworkd-*-portable-*.tar.xz"))
    if len(tarballs) != 1:
        sys.exit("dist/portable/ holds no tarball: run Scripts/portable")
    version = tarballs[0].name.split("-")[1]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        repository = work / "checkout"
        subprocess.run(["git", "clone", "--quiet", ROOT, repository], check=True)
        release = work / f"releases-of/artworkd/releases/download/v{version}"
        release.mkdir(parents=True)
        for file in (tarballs[0], ROOT / "dist/portable/SHA256SUMS"):
            shutil.copy(file, release)
        github(work, repository, catalogue, version)
        gitlab(work, repository, catalogue, release, version)
        hook(work, repository, catalogue, tarballs[0])


if __name__ == "__main__":
    main()
