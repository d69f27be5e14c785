"""The C client, against the running service and against servers that answer badly; at night, compiled with sanitizers.
$CC is the compiler (cc). See service.py and drive.c."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from fake import CHUNKED, HOLDS, HOSTILE, JSON, FakeHold, FakeServer, crowded_socket, foreign_socket
from service import BROKEN, CASES, CLIP, COVER, HARD_TEXTS, SESSIONS, VP9, Service, check_tables, until

CLIENTS = Path(__file__).resolve().parent.parent
# Adds the seconds in the file $CLOCK_STEP to the wall clock, and to no other.
CLOCK = CLIENTS.parent.parent / "Scripts/try/clock-step.c"
sys.path.insert(0, str(CLIENTS / "python"))
from artworkd import Client, Conditions

FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-O1"]
if os.environ.get("ARTWORKD_NIGHTLY"):
    FLAGS += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def compiler(*arguments):
    libraries = subprocess.check_output(["pkg-config", "--cflags", "--libs", "libcurl", "jansson"], text=True).split()
    return subprocess.Popen([os.environ.get("CC", "cc"), *FLAGS, *map(str, arguments), *libraries])


def setUpModule():
    global service, scratch, DRIVE, EXAMPLE
    scratch = tempfile.TemporaryDirectory(prefix="artworkd-c-")
    folder = Path(scratch.name)
    service = Service()
    DRIVE, EXAMPLE = str(folder / "drive"), str(folder / "example")
    client = folder / "artworkd.o"
    failed = compiler("-c", CLIENTS / "c/artworkd.c", "-o", client).wait()
    programs = [([CLIENTS / "tests/drive.c", CLOCK], DRIVE), ([CLIENTS / "c/example.c"], EXAMPLE)]
    if failed or any([each.wait() for each in [compiler(client, *sources, "-o", program) for sources, program in programs]]):
        service.close()
        raise AssertionError("the C client does not compile")


def tearDownModule():
    service.close()
    scratch.cleanup()


def drive(*arguments, socket=None, timeout=20000):
    """What `drive` says; an error of a sanitizer fails."""
    result = subprocess.run(
        [DRIVE, socket or service.socket, str(timeout), *map(str, arguments)], capture_output=True, timeout=300)
    assert result.returncode == 0 and not result.stderr, result.stderr.decode()
    return result.stdout.decode().rstrip("\n")


def fields(name, kind="", title="", subtitle="", collection="", square="", tall="", state="", elapsed=0, duration=0, rate=0,
           process=0, commands=""):
    return [name, "org.example.tests", kind, title, subtitle, collection, square, tall, state, elapsed, duration, rate, process,
            commands]


class Hold:
    """`drive hold` as a process to talk to."""

    def __init__(self, *arguments, socket=None, timeout=20000, **named):
        self.process = subprocess.Popen(
            [DRIVE, socket or service.socket, str(timeout), "hold", *map(str, fields(*arguments, **named))], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # No line comes of a mistake: the wait for it ends with the process.
        self.guard = threading.Timer(300, self.process.kill)
        self.guard.start()

    def until(self, *states):
        while (line := self.process.stdout.readline().strip()) not in states:
            if not line:
                raise AssertionError(f"it ended before it was {states}: {self.process.stderr.read()}")
        return line

    def tell(self, line, state="held"):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self.until(state)

    def close(self):
        self.guard.cancel()
        with self.process as process:
            error = process.communicate("free\n" if process.poll() is None else None, timeout=120)[1]
        assert process.returncode == 0 and not error, error

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()
        else:
            self.guard.cancel()
            self.process.kill()
            self.process.communicate()


class CallTests(unittest.TestCase):
    def test_a_session_is_shown_and_has_its_file(self):
        self.assertEqual(drive("put", "album", "1x1", CLIP), "ok")
        arguments = fields("main", "music", "Night Drive", "Band", "Roads", "album", "tall", "playing", 12.25, 200, -1.5)
        self.assertEqual(drive("publish", *arguments, "own"), "ok")
        self.assertEqual(drive("put", "own", "cover", COVER), "ok")
        seen = service.ask("GET", "/v1/now-playing")[1]["shown"]
        self.assertEqual(seen["cover"], "own")
        self.assertEqual(seen["sessionID"], "main")
        self.assertEqual(
            seen["content"], {"kind": "music", "title": "Night Drive", "subtitle": "Band", "collection": "Roads"})
        playback = seen["playback"]
        self.assertEqual((playback["elapsedSeconds"], playback["durationSeconds"], playback["rate"]), (12.25, 200, -1.5))
        path = drive("videos", "main", "1x1", 4096, 1)
        self.assertEqual(path, service.file_of_lease())
        self.assertEqual(Path(path).read_bytes(), Path(CLIP).read_bytes())
        self.assertTrue(drive("videos", "main", "1x1", 9, 1).startswith("error 0 bad-request the buffer"))
        # A pause loses nothing.
        self.assertEqual(drive("playback", "main", "paused", 30.000001, 0), "ok")
        seen = service.session("main")
        self.assertEqual((seen["playback"]["state"], seen["playback"]["elapsedSeconds"]), ("paused", 30.000001))
        self.assertEqual((seen["content"]["title"], seen["artwork"]), ("Night Drive", {"1x1": "album", "3x4": "tall"}))
        self.assertEqual(seen["playback"]["durationSeconds"], 200)
        self.assertEqual(drive("playback", "main", "", 0, 0), "ok")
        self.assertNotIn("playback", service.session("main"))
        self.assertEqual(drive("end", "main"), "ok")
        self.assertIsNone(service.session("main"))
        self.assertFalse(os.path.exists(path))
        self.assertEqual(drive("end", "main"), "ok")

    def test_every_field_travels(self):
        check_tables(service.ask("GET", "/openapi.json")[1])
        for number, document in enumerate(SESSIONS):
            names = {"CODECS": "videoCodecs", "ELIGIBILITY": "eligibility", "CONTENT": "content", "PLAYBACK": "playback"}
            values = {name: document[field] for name, field in names.items() if field in document}
            texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
            if "CODECS" in values:
                texts["CODECS"] = " ".join(values["CODECS"])
            if document.get("mixesWithOthers"):
                texts["MIXES"] = "1"
            artwork, commands = document.get("artwork", {}), json.dumps(document["commands"]) if "commands" in document else ""
            arguments = fields(
                f"every-{number}", square=artwork.get("1x1", ""), tall=artwork.get("3x4", ""), process=os.getpid(),
                commands=commands)
            with mock.patch.dict(os.environ, texts):
                self.assertEqual(drive("publish", *arguments, *([document["cover"]] if "cover" in document else [])), "ok")
            service.check_published(self, f"every-{number}", document)
            self.assertEqual(service.ask("GET", f"/v1/sessions/every-{number}")[1]["owner"], {"process": os.getpid()})
            self.assertEqual(drive("end", f"every-{number}"), "ok")
        with mock.patch.dict(os.environ, {"CONTENT": "[1]"}):
            self.assertTrue(drive("publish", *fields("every")).startswith("error 0 bad-request"))

    def test_what_is_shown_and_what_changes(self):
        arguments = fields("seen", "radio", "FM", state="playing", process=os.getpid())
        with mock.patch.dict(os.environ, {"CONTENT": '{"durationKind":"live"}'}):
            self.assertEqual(drive("publish", *arguments), "ok")
        for is_system in "0", "1":
            self.assertEqual(drive("primary", "seen", "org.example.tests", is_system, "0"), "ok")
        shown = json.loads(drive("now-playing"))["shown"]
        self.assertEqual((shown["sessionID"], shown["playback"]["durationKind"]), ("seen", "live"))
        self.assertEqual(json.loads(drive("conditions", '{"lowPower":true}'))["lowPower"], True)
        with subprocess.Popen([DRIVE, service.socket, "20000", "events", "2"], stdout=subprocess.PIPE, text=True) as process:
            name, data = process.stdout.readline().split(" ", 1)
            self.assertEqual((name, json.loads(data)["conditions"]["lowPower"]), ("now-playing", True))
            drive("conditions", "{}")
            name, data = process.stdout.readline().split(" ", 1)
            self.assertEqual((name, json.loads(data)["lowPower"]), ("conditions", False))
            self.assertEqual(process.stdout.readline(), "ok\n")
        self.assertEqual(drive("primary", "seen", "", "1", "1"), "ok")
        self.assertEqual(drive("end", "seen"), "ok")
        self.assertEqual(drive("register", "later", "1x1", json.dumps({"source": {"path": CLIP}, "prepare": False})), "ok")
        self.assertEqual(service.ask("GET", "/v1/artworks/later/1x1")[1]["status"], "registered")
        self.assertTrue(drive("events", "1", socket="/nowhere").startswith("error 0 no-service"))

    def test_a_preview_fits_and_is_all_there(self):
        self.assertEqual(drive("put", "still", "1x1", CLIP), "ok")
        size = len(Client(service.socket).preview("still", "1x1", 40, 30))
        self.assertEqual(drive("preview", "still", "1x1", 40, 30), f"{size} 30 30")
        self.assertRegex(drive("preview", "still", "1x1", 0, 0), "^[0-9]+ 96 96$")
        self.assertRegex(drive("preview", "still", "3x4", 0, 20), "^error 404 unknown-artwork ")
        self.assertRegex(drive("preview", "still", "1x1", -1, 20), "^error 400 bad-request ")

    def test_errors_have_their_code(self):
        self.assertRegex(drive("put", "broken", "1x1", BROKEN), "^error 20[01] [a-z-]+ .")
        self.assertEqual(drive("put", "album", "1x1", CLIP), "ok")
        self.assertRegex(drive("put", "album", "1x1", BROKEN), "^error 409 conflict ")
        self.assertRegex(drive("put", "a", "1x1", "/no/such/file"), "^error 4|^error 502")
        self.assertRegex(drive("put", "a", "2x2", CLIP), "^error 0 bad-request a key")
        self.assertRegex(drive("put", "", "1x1", CLIP), "^error 0 bad-request an ID")
        self.assertRegex(drive("videos", "nobody", "1x1", 4096, 1), "^error 404 unknown-session ")
        self.assertRegex(drive("playback", "nobody", "paused", 1, 0), "^error 404 unknown-session ")
        for state, elapsed, where in (("paused", "nan", 0), ("paused", 1e12, 0), ("paused", -1, 400), ("dancing", 1, 400)):
            self.assertRegex(drive("publish", *fields("bad", state=state, elapsed=elapsed)), f"^error {where} bad-request")
        self.assertRegex(drive("publish", *fields("long", "music", "x" * 90000)), "^error 400 bad-request content.title")
        self.assertRegex(drive("publish", *fields("x" * 1025)), "^error 0 bad-request")
        self.assertRegex(drive("publish", *fields("a", "music", os.fsdecode(b"\xff"))), "^error 0 bad-request .*UTF-8")
        self.assertRegex(drive("end", "a", socket="/no/such/socket"), "^error 0 no-service .*artworkd serve")
        self.assertRegex(drive("end", "a", socket="x" * 108), "^error 0 bad-request")
        # A long message is cut between characters.
        self.assertRegex(drive("videos", "é" * 500, "1x1", 4096, 1), "^error 404 unknown-session .*é$")

    def test_sessions_of_applications_are_apart(self):
        self.assertEqual(drive("publish", *fields("main", "music", "One")), "ok")
        self.assertEqual(drive("publish", "main", "org.example.other", *fields("", "music", "Two")[2:]), "ok")
        self.assertRegex(drive("end", "main"), "^error 409 ambiguous-session ")
        self.assertEqual(drive("end", "main", "org.example.other"), "ok")
        self.assertEqual(service.session("main")["content"]["title"], "One")
        self.assertEqual(drive("end", "main"), "ok")

    def test_the_path_of_a_clip_need_not_be_text(self):
        path = os.fsencode(service.folder) + b"/a \xff%2F\n.mp4"
        with open(path, "wb") as file:
            file.write(Path(CLIP).read_bytes())
        self.assertEqual(drive("put", "bytes", "1x1", os.fsdecode(path)), "ok")

    def test_no_file_is_handed_out_on_low_power(self):
        self.assertEqual(drive("put", "low", "1x1", CLIP), "ok")
        self.assertEqual(drive("publish", *fields("low", square="low")), "ok")
        client = Client(service.socket)
        client.set_conditions(Conditions(low_power=True))
        self.assertRegex(drive("videos", "low", "1x1", 4096, 1), "^error 200 low-power .")
        client.set_conditions(Conditions())
        self.assertTrue(os.path.exists(drive("videos", "low", "1x1", 4096, 1)))
        self.assertEqual(drive("end", "low"), "ok")

    def test_texts_survive(self):
        for number, text in enumerate(HARD_TEXTS):
            self.assertEqual(drive("put", text, "1x1", CLIP), "ok")
            process = os.getpid() if number == 0 else 0
            arguments = fields(text, "music", text, text, text, text, "", "paused", 1, process=process)
            self.assertEqual(drive("publish", *arguments), "ok")
            seen = service.session(text)
            self.assertEqual(seen["content"], {"kind": "music", "title": text, "subtitle": text, "collection": text})
            self.assertEqual(seen["artwork"], {"1x1": text})
            self.assertTrue(os.path.exists(drive("videos", text, "1x1", 4096, 1)))
            self.assertEqual(drive("end", text), "ok")
            self.assertIsNone(service.session(text))

    def test_no_codecs_are_those_of_apple(self):
        with mock.patch.dict(os.environ, CODECS=" , "):
            self.assertEqual(drive("publish", *fields("blank")), "ok")
        self.assertNotIn("videoCodecs", service.session("blank"))
        self.assertEqual(drive("end", "blank"), "ok")

    def test_a_process_owns_its_session(self):
        with subprocess.Popen(["sleep", "60"]) as owner:
            self.assertEqual(drive("publish", *fields("owned", process=owner.pid)), "ok")
            self.assertIsNotNone(service.session("owned"))
            owner.kill()
        until(lambda: service.session("owned") is None, "the session ends with its process")

    def test_the_example_runs(self):
        result = subprocess.run([EXAMPLE, CLIP, "Night Drive", "0.2"], capture_output=True, text=True, timeout=120,
                                env={**os.environ, "ARTWORKD_SOCKET": service.socket})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn(f"loop this file: {service.folder}/store/", result.stdout)
        self.assertIn("paused\nended\n", result.stdout)
        until(lambda: not service.leases(), "the file is removed")

    def test_the_example_refuses_in_one_line(self):
        for arguments, status, message in (
            (["/no/such.mp4"], 2, "cannot read /no/such.mp4: No such file or directory"),
            ([CLIP, "Night Drive", "abc"], 64, "SECONDS must be a number from 0 to 1000000, not 'abc'"),
            ([CLIP, "Night Drive", "1e9"], 64, "SECONDS must be a number from 0 to 1000000, not '1e9'"),
            ([CLIP, "Night Drive", "nan"], 64, "SECONDS must be a number from 0 to 1000000, not 'nan'"),
        ):
            result = subprocess.run([EXAMPLE, *arguments], capture_output=True, text=True, timeout=120)
            self.assertEqual((result.returncode, result.stderr), (status, f"example: {message}\n"))

    def test_the_socket_is_that_of_the_tool(self):
        for variables, expected in (
            ({"ARTWORKD_SOCKET": "/a/b"}, "/a/b"),
            ({"ARTWORKD_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/7"}, "/run/user/7/artworkd/artworkd.sock"),
            ({"XDG_RUNTIME_DIR": "relative"}, f"/tmp/artworkd-{os.geteuid()}/artworkd.sock"),
        ):
            result = subprocess.run([DRIVE, "/x", "1", "socket"], capture_output=True, text=True, env=variables)
            self.assertEqual(result.stdout, expected + "\n")


class CommandTests(unittest.TestCase):
    def test_a_player_carries_out_what_it_is_asked_for(self):
        def ask(command, session="obeying", application="org.example.tests", **argument):
            return drive("ask", session, application, json.dumps({"command": command, **argument}))

        options = [{"id": HARD_TEXTS[0], "name": "Deutsch", "kind": "legible"}]
        commands = {"stop": {}, "pause": {}, "seekToPosition": {}, "like": {}, "changeRepeatMode": {"mode": "off"},
                    "skipBackward": {"preferredIntervals": [15]}, "enableLanguageOption": {"options": options},
                    "next": {"enabled": False}}
        with Hold("obeying", state="paused", duration=100, commands=json.dumps(commands)) as hold:
            hold.until("held")
            for line, asked in [
                ("command pause 0", {"command": "pause"}),
                ("command seekToPosition 90.25", {"command": "seekToPosition", "position": 90.25}),
                ("command seekToPosition 0.0015", {"command": "seekToPosition", "position": 1.5e-3}),
                ("command skipBackward 15", {"command": "skipBackward"}),
                ("command like 1", {"command": "like"}), ("command like 0", {"command": "like", "active": False}),
                ("command changeRepeatMode 0 all", {"command": "changeRepeatMode", "mode": "all"}),
                ("command enableLanguageOption 0 " + HARD_TEXTS[0],
                 {"command": "enableLanguageOption", "option": HARD_TEXTS[0]}),
            ]:
                self.assertEqual(ask(**asked), "ok")
                hold.until(line)
            self.assertEqual(ask("stop"), "error 200 failed it is stuck")
            self.assertEqual(ask("pause", session=""), "ok")
            self.assertTrue(service.ask("POST", "/v1/sessions/obeying/primary", {"scope": "system"})[0] == 204)
            self.assertEqual(ask("pause", session="", application=""), "ok")
            self.assertTrue(ask("next").startswith("error 409 command-disabled "))
            if os.environ.get("ARTWORKD_NIGHTLY"):
                hold.process.send_signal(signal.SIGSTOP)
                self.assertEqual(ask("like"), "error 200 timed-out the owner did not answer in time")
                hold.process.send_signal(signal.SIGCONT)
                self.assertEqual(ask("pause"), "ok")
                self.assertEqual(hold.until("command like 1", "command pause 0"), "command pause 0")
            self.assertTrue(ask("fly").startswith("error 400 bad-request "))
        until(lambda: ask("pause").startswith("error 404 unknown-session "), "the session ends")
        self.assertTrue(drive("publish", *fields("a", commands="{")).startswith("error 0 bad-request"))


class HoldTests(unittest.TestCase):
    def test_a_player_gets_what_it_plays_and_hears_of_it(self):
        self.assertEqual(drive("put", "vp9", "1x1", VP9), "ok")
        client = Client(service.socket)
        with mock.patch.dict(os.environ, CODECS="vp9, h264", ELIGIBILITY="with-commands"):
            with Hold("vp9", square="vp9", state="playing", commands='{"pause":{}}') as hold:
                hold.until("held")
                seen = service.session("vp9")
                self.assertEqual((seen["videoCodecs"], seen["eligibility"]), (["h264", "vp9"], "with-commands"))
                self.assertEqual(drive("size", "vp9", "1x1"), "0 0")
                client.make_primary("vp9", "system")
                hold.until("primary 3")
                client.resign_primary("vp9", "system")
        with mock.patch.dict(os.environ, CODECS="h264", MIXES="1"), Hold("h264", square="vp9") as hold:
            hold.until("held")
            self.assertTrue(service.session("h264")["mixesWithOthers"])
            video = client.video("h264", "1x1", 4000, 4000)
            hold.until("artwork")
            self.assertEqual(drive("size", "h264", "1x1"), f"{video.rendition.width} {video.rendition.height}")

    def test_the_table_of_all_clients(self):
        for number, case in enumerate(CASES):
            name, codecs = f"c-case-{number}", " ".join(case["codecs"] or [])
            with self.subTest(**case):
                put = drive("put", name, "1x1", os.path.join(os.environ["FIXTURES"], case["source"]))
                self.assertTrue(put == "ok" or case.get("reason") == "refused", put)
                made = drive("prepare", name, "1x1", 4000, 4000, codecs)
                if "reason" in case:
                    self.assertEqual(made.split()[2], "refused")
                else:
                    self.assertEqual(made != "0 0", case["rendition"])
                with mock.patch.dict(os.environ, **({"CODECS": codecs} if codecs else {})):
                    self.assertEqual(drive("publish", *fields(name, square=name)), "ok")
                seen = drive("size", name, "1x1")
                if "reason" in case:
                    self.assertEqual(seen.split()[2], case["reason"])
                else:
                    self.assertEqual(seen, made)
                self.assertEqual(drive("end", name), "ok")

    def test_a_step_of_the_clock_moves_no_position(self):
        step, library = Path(scratch.name) / "step", Path(scratch.name) / "step.so"
        step.write_text("0")
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, CLOCK], check=True)
        later, began = Service(), time.monotonic()

        def restart(seconds):
            step.write_text(str(seconds))
            with mock.patch.dict(os.environ, LD_PRELOAD=str(library)):
                later.start()

        def position():
            return later.ask("GET", "/v1/now-playing")[1]["shown"]["playback"]["positionSeconds"]

        def look(start):
            self.assertLess(abs(position() - start - (time.monotonic() - began)), 3)

        later.kill()
        try:
            with mock.patch.dict(os.environ, CLOCK_STEP=str(step)):
                with Hold("stepped", state="playing", elapsed=10, duration=90000, socket=later.socket) as hold:
                    hold.until("waiting no-service")
                    # Set before the service knows of it, then while it does, then while it is away.
                    restart(3600)
                    hold.until("held")
                    look(10)
                    step.write_text("-3600")
                    look(10)
                    hold.tell("paused 77")
                    self.assertEqual(position(), 77)
                    began = time.monotonic()
                    hold.tell("playing 20")
                    look(20)
                    later.kill()
                    hold.until("waiting no-service")
                    restart(7200)
                    hold.until("held")
                    look(20)
        finally:
            later.close()

    def test_a_session_is_held_until_it_is_freed(self):
        drive("put", "held", "1x1", CLIP)
        with Hold("held", "music", "One", square="held", state="playing", elapsed=3, duration=100) as hold:
            hold.until("held")
            self.assertEqual(service.session("held")["content"]["title"], "One")
            path = drive("videos", "held", "1x1", 4096, 1)
            hold.tell("paused 30")
            seen = service.session("held")["playback"]
            self.assertEqual((seen["state"], seen["elapsedSeconds"], seen["durationSeconds"]), ("paused", 30, 100))
            hold.tell('title "Two"')
            seen = service.session("held")
            self.assertEqual((seen["content"]["title"], seen["artwork"]), ('"Two"', {"1x1": "held"}))
            self.assertTrue(os.path.exists(path))
        until(lambda: service.session("held") is None, "the session ends")
        until(lambda: not os.path.exists(path), "its file goes")

    def test_two_windows_play_apart(self):
        def seen():
            shown = service.ask("GET", "/v1/now-playing")[1]["sessions"]
            return sorted((each["id"], each["playback"]["state"]) for each in shown if each["content"]["title"] == "Window")

        with Hold("", "music", "Window", state="playing") as one:
            one.until("held")
            [(name, _)] = seen()
            with Hold("", "music", "Window", state="playing") as two, Hold(name, "music", "Other") as thief:
                two.until("held")
                thief.until("waiting owned")
                two.tell("paused 7")
                self.assertEqual(sorted(state for _, state in seen()), ["paused", "playing"])
            until(lambda: seen() == [(name, "playing")], "the first goes on alone")

    def test_a_held_session_survives_the_service(self):
        with Hold("survivor", "music", "One", state="playing", elapsed=3, duration=100) as hold:
            hold.until("held")
            service.kill()
            hold.until("waiting lost")
            # Said while there is no service.
            hold.tell("paused 44", "waiting no-service")
            service.start()
            hold.until("held")
            seen = service.session("survivor")
            self.assertEqual((seen["playback"]["elapsedSeconds"], seen["playback"]["durationSeconds"]), (44, 100))
            self.assertEqual(seen["content"]["title"], "One")
        until(lambda: service.session("survivor") is None, "the session ends")

    def test_a_session_that_another_client_ended_stays_ended(self):
        with Hold("ended") as hold:
            hold.until("held")
            service.ask("DELETE", "/v1/sessions/ended")
            hold.until("ended")
        self.assertIsNone(service.session("ended"))

    def test_what_the_service_refuses_is_said_and_mended(self):
        with Hold("refused", state="paused", elapsed=-1) as hold:
            hold.until("waiting bad-request")
            self.assertIsNone(service.session("refused"))
            hold.tell("paused 2")
            self.assertEqual(service.session("refused")["playback"]["elapsedSeconds"], 2)
            hold.tell("dancing 2", "waiting bad-request")
            hold.tell("playing 3")


class BadServerTests(unittest.TestCase):
    def test_the_holds_of_all_clients(self):
        for row in HOLDS:
            with self.subTest(row["hold"]), FakeHold(row) as server:
                with Hold("s", "music", "One", commands='{"pause":{}}', socket=server.socket) as hold:
                    hold.until("held")
                    hold.tell("title Two", f"waiting {row['trouble']}" if "trouble" in row else "waiting")
                    server.go.set()
                    server.check()
                    hold.until("ended" if row.get("ends") else "held")

    @unittest.skipUnless(os.geteuid() == 0, "only root can start a process of another user")
    def test_a_socket_of_another_user_hears_nothing(self):
        with foreign_socket() as path:
            self.assertTrue(drive("end", "a", socket=path).startswith("error 0 untrusted "))
        with foreign_socket() as path, Hold("a", socket=path) as hold:
            hold.until("waiting untrusted")

    def test_a_crowd_at_the_socket_is_waited_for(self):
        with crowded_socket() as (path, let_in):
            self.assertTrue(drive("end", "a", socket=path, timeout=300).startswith("error 0 busy "))

            let_in("HTTP/1.1 204 No Content\r\n\r\n")
            self.assertEqual(drive("end", "a", socket=path), "ok")

    def test_no_hostile_answer_is_taken_for_one(self):
        for name, answer in HOSTILE.items():
            with self.subTest(name), FakeServer(answer) as server:
                said = drive("videos", "s", "1x1", 4096, 1, socket=server.socket, timeout=1000)
                self.assertRegex(said, "^error [0-9]+ (lost|late|not-understood) ")

    def test_a_server_that_is_late_does_not_hold_the_client(self):
        for answer in ("", JSON, CHUNKED + "5\r\n{"):
            with FakeServer(answer, waits=True) as server:
                said = drive("videos", "s", "1x1", 4096, 1, socket=server.socket, timeout=200)
                self.assertRegex(said, "^error 0 late ")

    def test_hostile_streams(self):
        stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        end = 'event: session\ndata: {"sessionID":"s","ended":true}\n\n'
        strange = (
            "\ufeff: comment\r\rdata\ndata:\r\nid\n:\n\n" + "event: " + "x" * 9000 + "\ndata: {}\n\n"
            + 'event: session\ndata: {"sessionID":"other","ended":true}\n\nevent: session\ndata: {"sessionID":\n\n\0\0\n'
            + "event: now-playing\ndata: " + "x" * 300_000 + "\n\n")
        answered = JSON + "Content-Length: 2\r\n\r\n{}"
        published = threading.Event()

        def put(send):
            send(answered)
            published.set()

        def events(send):
            # The end of an earlier session of this name counts for nothing.
            send(stream + "\r\n" + end + strange)
            published.wait(60)
            for byte in "event: missed\ndata: {}\n\n":
                send(byte)

        def get(send):
            (events if not published.is_set() else lambda send: send(gone))(send)

        problem = '{"code":"unknown-session","detail":"no"}'
        gone = f"HTTP/1.1 404 No\r\nContent-Length: {len(problem)}\r\n\r\n{problem}"
        with FakeServer({"GET": get, "PUT": put}, waits=True) as server, Hold("s", socket=server.socket) as hold:
            hold.until("ended")
            self.assertTrue(published.is_set())
        for answer, codes in (
            (gone, ["refused"]), (answered, ["lost"]), (stream + "\r\n", ["lost"]), ("x\n", ["not-understood"]),
            (stream + "Transfer-Encoding: chunked\r\n\r\n5\r\nevent\r\nx", ["not-understood", "lost"]),
            (HOSTILE["endless headers"], ["not-understood"]),
        ):
            with FakeServer({"GET": answer}) as server, Hold("s", socket=server.socket) as hold:
                hold.until(*(f"waiting {code}" for code in codes))
        # What never ends keeps no loop busy: it is told to end, and does.
        endless = {"GET": lambda send: HOSTILE["endless chunks"](lambda text: send(text.replace("application/json", "text/event-stream")))}
        with FakeServer(endless) as server, Hold("s", socket=server.socket) as hold:
            hold.until("waiting")
        with FakeServer({"GET": stream + "\r\n"}, waits=True) as server, Hold("s", socket=server.socket, timeout=200) as hold:
            hold.until("waiting late")

    def test_what_python_reads_and_no_more(self):
        """Answers with random faults, read by the C client and by Python's json: the same path, or none."""
        def refuse(word):
            raise ValueError(word)

        def path(body):
            try:
                document = json.loads(body.decode(), parse_constant=refuse)
                # Python accepts half a character.
                json.dumps(document, ensure_ascii=False).encode()
                url = document.get("url")
                return url[7:] if url.startswith("file:///") and "\0" not in url else None
            except (ValueError, AttributeError):
                return None

        noise = random.Random(15)
        good = json.dumps({
            "name": 'a"\\\u00e9\U0001f3b5', "size": 7117.5, "more": [1, {"url": True}, None], "url": "file:///a b/\u00e9"})
        seeds = [good.encode(), json.dumps({"url": "file:///\u591c/x", "n": -0.1}, ensure_ascii=False).encode()]
        pieces = [b'"', b"\\", b"\\u", b"\\ud83c", b"{", b"}", b"[", b"]", b",", b":", b"0", b"-", b"e9", b".5", b"\xc3",
                  b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\0", b"\n", b"null", b"true", b'"url":', b'"file:///"', b"\x7f"]
        bodies = list(seeds)
        while len(bodies) < 400:
            body = bytearray(noise.choice(seeds))
            for _ in range(noise.randint(1, 3)):
                place = noise.randrange(len(body))
                body[place:place + noise.randint(0, 2)] = noise.choice(pieces) if noise.random() < 0.7 else b""
            bodies.append(bytes(body))

        def answers():
            for body in bodies:
                yield (JSON + f"Content-Length: {len(body)}\r\n\r\n").encode() + body

        with FakeServer(answers()) as server:
            lines = drive("videos", "s", "1x1", 4096, len(bodies), socket=server.socket).split("\n")
        self.assertEqual(len(lines), len(bodies))
        readable = 0
        for body, line in zip(bodies, lines):
            with self.subTest(body):
                readable += path(body) is not None
                self.assertEqual(line if not line.startswith("error ") else None, path(body))
        self.assertGreater(readable, 20)


if __name__ == "__main__":
    unittest.main()
