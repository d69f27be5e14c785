"""The Python client against the running service, and against servers that answer badly. See service.py."""

import contextlib
import dataclasses
import inspect
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from fake import CHUNKED, HOLDS, HOSTILE, JSON, FakeHold, FakeServer, crowded_socket, foreign_socket
from service import BROKEN, CASES, CLIP, COVER, HARD_TEXTS, SESSIONS, TABLES, VP9, Service, check_tables, until

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
import artworkd
from artworkd import AdBreak, ArtworkdError, Chapter, Client, Conditions, Content, HeldSession, MetadataItem, Playback
from artworkd import default_socket


def setUpModule():
    global service
    service = Service("--listen", "127.0.0.1:0")


def tearDownModule():
    service.close()


class ClientTests(unittest.TestCase):
    def setUp(self):
        self.client = Client(service.socket)

    def publish(self, name, **fields):
        return self.client.publish(name, application="org.example.tests", **fields)

    def code(self, call, *arguments, **named):
        with self.assertRaises(ArtworkdError) as caught:
            call(*arguments, **named)
        return caught.exception.code

    def test_a_session_is_shown_until_its_block_ends(self):
        artwork = self.client.put_artwork("album-1", "1x1", CLIP)
        self.assertEqual((artwork.artwork_id, artwork.status, artwork.bytes), ("album-1", "ready", os.path.getsize(CLIP)))
        content = Content("music", "Night Drive", "Band", "Roads")
        playback = Playback("playing", 10, duration_seconds=200, ad_breaks=(AdBreak(0, 5),))
        with self.publish("main", content=content, artwork={"1x1": "album-1"}, playback=playback) as session:
            seen = service.ask("GET", "/v1/now-playing")[1]["shown"]
            self.assertEqual(seen["sessionID"], "main")
            self.assertEqual(seen["content"]["collection"], "Roads")
            self.assertEqual(seen["playback"]["adBreaks"], [{"startSeconds": 0, "durationSeconds": 5}])
            shown = self.client.now_playing().shown
            self.assertEqual((shown.session_id, shown.content), ("main", content))
            self.assertEqual((shown.variants["1x1"].show, shown.variants["3x4"].reason.code), ("video", "not-published"))
            video = session.video("1x1", 1080, 1080)
            self.assertEqual(video.path, service.file_of_lease())
            self.assertEqual(Path(video.path).read_bytes(), Path(CLIP).read_bytes())
            self.assertEqual(self.code(session.video, "3x4", 10, 10), "not-published")
            self.assertEqual(self.code(self.client.remove_artwork, "album-1", "1x1"), "in-use")
        self.assertIsNone(service.session("main"))
        self.assertFalse(os.path.exists(video.path))
        self.assertTrue(session.is_ended)
        self.assertEqual(self.code(session.pause), "unknown-session")
        self.client.remove_artwork("album-1", "1x1")
        self.assertEqual(self.code(self.client.artwork, "album-1", "1x1"), "unknown-artwork")

    def test_a_player_carries_out_commands(self):
        asked = []

        def obey(command):
            asked.append((command.name, command.arguments))
            if command.name == "pause":
                session.pause()
            elif command.name == "stop":
                raise RuntimeError("it is stuck")
            elif command.name == "seekToPosition":
                return "no-such-content"

        commands = {"pause": {}, "stop": {}, "seekToPosition": {}, "next": {"enabled": False},
                    "skipForward": {"preferredIntervals": [15]}}
        playback = Playback("playing", duration_seconds=100)
        with self.publish("obeying", playback=playback, commands=commands, on_command=obey) as session:
            self.client.make_primary("obeying", "system", application="org.example.tests")
            self.assertEqual(self.client.perform("pause").status, "success")
            self.assertEqual(service.session("obeying")["playback"]["state"], "paused")
            skipped = self.client.perform("skipForward", application="org.example.tests")
            self.assertEqual((skipped.session_id, skipped.status), ("obeying", "success"))
            sought = self.client.perform("seekToPosition", session_id="obeying", position=90)
            self.assertEqual(sought.status, "no-such-content")
            stopped = self.client.perform("stop")
            self.assertEqual((stopped.status, stopped.message), ("failed", "it is stuck"))
            self.assertEqual(self.code(self.client.perform, "next"), "command-disabled")
            self.assertEqual(self.code(self.client.perform, "play"), "command-not-offered")
            self.assertEqual(self.code(self.client.perform, "seekToPosition", position=101), "bad-request")
            session.update(commands={**commands, "next": {}})
            # What the service gave up long ago, while an earlier command was carried out.
            session._carry_out({"command": "next", "number": 9, "sent": time.time() - 6})
            self.assertEqual(self.client.perform("next").status, "success")
            [published] = [each for each in self.client.sessions() if each.id == "obeying"]
            self.assertEqual(published.commands["skipForward"]["preferredIntervals"], [15])
            self.assertIsNone(published.not_shown)
        self.assertEqual(asked, [
            ("pause", {}), ("skipForward", {"interval": 15}), ("seekToPosition", {"position": 90}), ("stop", {}),
            ("next", {})])

    def test_changes_leave_the_rest(self):
        self.client.put_artwork("kept", "1x1", CLIP)
        content = Content("movie", "Tide", "Studio")
        with self.publish("changing", content=content, artwork={"1x1": "kept"}) as session:
            session.play(30)
            self.assertEqual(service.session("changing")["playback"]["state"], "playing")
            session.pause()
            seen = service.session("changing")
            self.assertEqual((seen["playback"]["state"], seen["content"]["subtitle"]), ("paused", "Studio"))
            self.assertEqual(seen["artwork"], {"1x1": "kept"})
            self.assertGreaterEqual(seen["playback"]["elapsedSeconds"], 30)
            session.seek(7.5)
            self.assertEqual(service.session("changing")["playback"]["elapsedSeconds"], 7.5)
            session.update(content=Content("movie", "Tide"), artwork={"3x4": "other"})
            seen = service.session("changing")
            self.assertEqual((seen["content"], seen["artwork"]), ({"kind": "movie", "title": "Tide"}, {"3x4": "other"}))
            session.update(content=None, playback=None)
            self.assertFalse({"content", "playback"} & set(service.session("changing")))
            # What the service refuses is not published again later.
            self.assertEqual(self.code(session.seek, -1), "bad-request")
            self.assertEqual(self.code(session.seek, float("nan")), "bad-request")
            session.update(content=content)
            self.assertNotIn("playback", service.session("changing"))

    def test_what_travels_of_an_item(self):
        content = Content(
            "book", "Tide", id="book/1", media_type="audio", duration_seconds=600, description="Water.", content_rating="PG",
            chapters=(Chapter("Low", 0), Chapter("High", 300.5)), metadata=(MetadataItem("title", "Flut", language="de"),),
            composer="Clara", genre="Lied", is_explicit=False)
        with self.publish("travelling", content=content) as session:
            self.assertEqual(service.session("travelling")["content"]["chapters"][1], {"title": "High", "startSeconds": 300.5})
            self.assertEqual(self.client.session("travelling").content, content)
            session.make_primary("system")
            session.play(30)
            shown = self.client.now_playing().shown
            self.assertEqual((shown.playback.duration_seconds, shown.metadata), (600, content.metadata))
            session.update(content=Content("radio", "FM", duration_kind="continuous"))
            self.assertEqual(self.client.now_playing().shown.playback.duration_kind, "continuous")

    def test_every_field_travels(self):
        check_tables(service.ask("GET", "/openapi.json")[1])
        for number, document in enumerate(SESSIONS):
            fields = {re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name): value for name, value in document.items()}
            fields.pop("owner", None)  # the process that holds the session
            self.assertLessEqual(fields.keys() - {"application"}, inspect.signature(HeldSession.update).parameters.keys())
            fields["content"] = artworkd._typed(Content, document["content"])
            fields["playback"] = artworkd._typed(Playback, document["playback"])
            with self.client.publish(f"every-{number}", **fields) as session:
                service.check_published(self, session.id, document)
            del fields["application"]
            with self.publish(f"changed-{number}") as session:
                session.update(**fields)
                service.check_published(self, session.id, document)
        known = {artworkd._json_name(field.name) for field in dataclasses.fields(Conditions)}
        self.assertEqual(known, set(TABLES["requests"]["ConditionsRequest"]))

    def test_texts_survive(self):
        for text in HARD_TEXTS:
            self.client.put_artwork(text, "1x1", CLIP)
            with self.publish(text, content=Content("music", text, text, text), artwork={"1x1": text}) as session:
                seen = service.session(text)
                self.assertEqual(seen["content"], {"kind": "music", "title": text, "subtitle": text, "collection": text})
                self.assertEqual(self.client.session(text).artwork, {"1x1": text})
                self.assertTrue(os.path.exists(session.video("1x1", 9, 9).path))
            self.assertIsNone(service.session(text))
        self.assertEqual(self.code(self.publish, "half \ud83c of a character"), "bad-request")
        self.assertEqual(self.code(self.publish, ""), "bad-request")

    def test_a_held_session_survives_the_service(self):
        self.client.put_artwork("survivor", "1x1", CLIP)
        with self.publish("held", artwork={"1x1": "survivor"}) as session:
            service.kill()
            until(lambda: session.trouble, "the client notices")
            self.assertEqual(self.code(session.play, 60), "no-service")
            service.start()
            until(lambda: session.trouble is None, "the session is held again")
            seen = service.session("held")
            # What was changed meanwhile is there, too.
            self.assertEqual((seen["playback"]["state"], seen["artwork"]), ("playing", {"1x1": "survivor"}))
            self.assertTrue(os.path.exists(session.video("1x1", 9, 9).path))
        self.assertIsNone(service.session("held"))

    def test_an_end_that_the_service_does_not_hear_is_said(self):
        with self.assertRaises(ArtworkdError) as caught, self.publish("unheard"):
            service.kill()
        self.assertEqual(caught.exception.code, "no-service")
        service.start()
        self.client.end_session("unheard")
        # What went wrong in the block matters more.
        with self.assertRaises(ZeroDivisionError), self.publish("failing"):
            service.ask("DELETE", "/v1/sessions/failing")
            raise ZeroDivisionError

    def test_who_is_primary(self):
        with self.publish("first") as first, self.publish("second"):
            first.make_primary("system")
            self.assertTrue(service.session("first")["isSystemPrimary"])
            # It still is that of its application.
            first.resign_primary("system")
            self.assertEqual([session.id for session in self.client.sessions()], ["first", "second"])
            first.resign_primary()
            self.assertEqual([session.id for session in self.client.sessions()], ["second", "first"])

    def test_a_player_gets_what_it_plays_and_hears_of_it(self):
        changes = []
        artwork = self.client.put_artwork("vp9", "1x1", VP9)
        self.assertEqual((artwork.shows, artwork.reason.code), ("video", "plays"))
        with self.publish("vp9", artwork={"1x1": "vp9"}, video_codecs=["vp9"], on_change=lambda *change: changes.append(change),
                          playback=Playback("playing"), commands={"pause": {}}, eligibility="with-commands") as session:
            self.assertEqual(self.client.session("vp9").video_codecs, ("vp9",))
            own = session.video("1x1", 4000, 4000)
            self.assertEqual((own.rendition, Path(own.path).read_bytes()), (None, Path(VP9).read_bytes()))
            session.make_primary("system")
            until(lambda: session.is_system_primary and session.is_application_primary, "it is told that it is primary")
            session.update(commands={})
            until(lambda: not session.is_system_primary, "it is told that it is not eligible any more")
            self.assertIn((session, "primary"), changes)
            self.assertEqual(self.client.session("vp9").eligibility, "with-commands")
        with self.publish("h264", artwork={"1x1": "vp9"}, video_codecs=["h264"], mixes_with_others=True,
                          on_change=lambda *change: changes.append(change)) as session:
            self.assertTrue(self.client.session("h264").mixes_with_others)
            first = session.video("1x1", 4000, 4000, wait=False)
            self.assertIn(first.reason.code, ("late", "plays"))
            until(lambda: (session, "artwork") in changes, "it is told of the version that it can play")
            made = session.video("1x1", 4000, 4000)
            self.assertIsNotNone(made.rendition)
            self.assertNotEqual(Path(made.path).read_bytes(), Path(VP9).read_bytes())

    def test_the_table_of_all_clients(self):
        for number, case in enumerate(CASES):
            name = f"case-{number}"
            with self.subTest(**case):
                self.client.put_artwork(name, "1x1", os.path.join(os.environ["FIXTURES"], case["source"]))
                codecs = case["codecs"]
                if "reason" in case:
                    self.assertEqual(self.code(self.client.prepare, name, "1x1", video_codecs=codecs), "refused")
                else:
                    ready = self.client.prepare(name, "1x1", 4000, 4000, video_codecs=codecs)
                    self.assertEqual(ready.rendition is not None, case["rendition"])
                with self.publish(name, artwork={"1x1": name}, video_codecs=codecs) as session:
                    video = session.video("1x1", 4000, 4000)
                    if "reason" in case:
                        self.assertEqual((video.path, video.reason.code), (None, case["reason"]))
                    else:
                        self.assertEqual(video.rendition is not None, case["rendition"])
                        self.assertEqual(os.path.getsize(video.path), ready.bytes)

    def test_a_service_that_starts_later_is_waited_for(self):
        later = Service()
        try:
            later.kill()
            client = Client(later.socket)
            self.assertEqual(self.code(client.publish, "early", application="org.example.tests"), "no-service")
            with client.publish("early", application="org.example.tests", wait=True) as session:
                self.assertEqual(session.trouble.code, "no-service")
                later.start()
                until(lambda: later.session("early"), "the session is published when the service starts")
                until(lambda: session.trouble is None, "nothing is wrong any more")
        finally:
            later.close()

    def test_a_command_names_its_session(self):
        asked = []
        with self.publish("named", playback=Playback("playing"), commands={"pause": {}},
                          on_command=lambda command: asked.append(command.session)) as session:
            self.client.perform("pause", session_id="named")
        self.assertEqual(asked, [session])

    def test_a_step_of_the_clock_moves_no_position(self):
        with self.publish("stepped", playback=Playback("playing", 10, duration_seconds=1000)) as session:
            wall = time.time
            for step in (3600, -3600):
                with mock.patch("artworkd.time.time", lambda: wall() + step):
                    session.pause()
                    self.assertLess(abs(service.session("stepped")["playback"]["elapsedSeconds"] - 10), 600)
                    session.play()
            session.pause()
            self.assertLess(abs(service.session("stepped")["playback"]["elapsedSeconds"] - 10), 600)

    def test_a_session_that_another_client_ended_stays_ended(self):
        session = self.publish("ended")
        self.assertFalse(session.wait(0))
        service.ask("DELETE", "/v1/sessions/ended")
        self.assertTrue(session.wait(60))
        self.assertEqual(self.code(session.update, content=None), "unknown-session")
        self.assertIsNone(service.session("ended"))
        session.end()

    def test_two_windows_play_apart(self):
        program = ("import sys, artworkd as a\nwith a.Client(sys.argv[1]).publish(application='org.example.windows', artwork={'1x1':"
                   " 'window'}, playback=a.Playback('playing')) as s:\n  print(s.id, s.video('1x1', 9, 9).path, flush=True)\n"
                   "  for line in sys.stdin:\n    s.pause(); print('paused', flush=True)\n")
        self.client.put_artwork("window", "1x1", CLIP)
        with contextlib.ExitStack() as stack:
            windows = [stack.enter_context(subprocess.Popen(
                [sys.executable, "-B", "-c", program, service.socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                cwd=Path(artworkd.__file__).parent)) for _ in range(2)]
            (one, first), (two, second) = [window.stdout.readline().split() for window in windows]
            self.assertTrue(os.path.exists(first) and os.path.exists(second) and first != second)
            print("pause", file=windows[0].stdin, flush=True)
            self.assertEqual(windows[0].stdout.readline(), "paused\n")
            self.assertEqual([service.session(id)["playback"]["state"] for id in (one, two)], ["paused", "playing"])
            with self.assertRaises(ArtworkdError) as caught:
                self.client.publish(two, application="org.example.windows")
            self.assertEqual((caught.exception.code, caught.exception.status), ("owned", 409))
            windows[0].communicate()
            until(lambda: not os.path.exists(first), "the first window's file is removed")
            self.assertTrue(os.path.exists(second) and service.session(two))
            windows[1].communicate()

    def test_a_session_ends_with_its_process(self):
        program = "import artworkd, sys; c = artworkd.Client(sys.argv[1]); s = c.publish('brief', application='a'); print(flush=True); input()"
        folder = Path(__file__).resolve().parent.parent / "python"
        with subprocess.Popen([sys.executable, "-c", program, service.socket], cwd=folder, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            self.assertIsNotNone(service.session("brief"))
            process.kill()
        until(lambda: service.session("brief") is None, "the session ends")

    EXAMPLE = Path(__file__).resolve().parent.parent / "python/example_player.py"

    def test_the_example_runs(self):
        result = subprocess.run(
            [sys.executable, self.EXAMPLE, CLIP, "Night Drive", "0.2"], capture_output=True, text=True, timeout=120,
            env={**os.environ, "ARTWORKD_SOCKET": service.socket})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(str(service.folder / "store"), result.stdout)
        self.assertEqual(service.leases(), [])

    def test_the_example_refuses_in_one_line(self):
        for arguments, status, message in (
            (["/no/such.mp4"], 2, "cannot read /no/such.mp4: No such file or directory"),
            ([CLIP, "Night Drive", "abc"], 64, "SECONDS must be a number from 0 to 1000000, not 'abc'"),
            ([CLIP, "Night Drive", "1e9"], 64, "SECONDS must be a number from 0 to 1000000, not '1e9'"),
            ([CLIP, "Night Drive", "nan"], 64, "SECONDS must be a number from 0 to 1000000, not 'nan'"),
        ):
            result = subprocess.run([sys.executable, self.EXAMPLE, *arguments], capture_output=True, text=True, timeout=120)
            self.assertEqual((result.returncode, result.stderr), (status, f"example_player: {message}\n"))

    def test_previews_and_refusals(self):
        self.client.put_artwork("picture", "1x1", CLIP)
        png = self.client.preview("picture", "1x1", width=48)
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(int.from_bytes(png[16:20], "big"), 48)
        self.assertEqual([(key, artwork.status) for key, artwork in self.client.artwork_keys("picture").items()], [("1x1", "ready")])
        refused = self.client.put_artwork("text", "1x1", BROKEN)
        self.assertEqual(refused.status, "refused")
        self.assertTrue(refused.error.message)
        with self.assertRaises(ArtworkdError) as caught:
            self.client.preview("text", "1x1")
        self.assertEqual((caught.exception.code, caught.exception.status), ("refused", 422))
        with self.publish("refused", artwork={"1x1": "text"}) as session:
            video = session.video("1x1", 9, 9)
            self.assertEqual((video.path, video.show), (None, "cover"))
            self.assertTrue(video.reason.message)
        with self.assertRaises(ArtworkdError) as caught:
            self.client.put_artwork("picture", "1x1", BROKEN)
        self.assertEqual((caught.exception.code, caught.exception.status), ("conflict", 409))
        self.assertIn("new artworkID", str(caught.exception))

    def test_static_covers(self):
        self.client.put_artwork("film", "3x4", CLIP)
        self.client.put_artwork("film", "cover", COVER, prepare=False)
        with self.publish("film", artwork={"3x4": "film"}) as session:
            self.assertEqual(self.client.now_playing().shown.cover, "film")
            cover = self.client.artwork("film", "cover")
            self.assertEqual((cover.status, cover.source), ("registered", {"path": COVER}))
            self.assertEqual(int.from_bytes(self.client.preview("film", "cover", width=32)[16:20], "big"), 32)
            self.client.put_artwork("own", "cover", COVER)
            session.update(cover="own")
            self.assertEqual(self.client.now_playing().shown.cover, "own")
            self.assertEqual(self.code(self.client.remove_artwork, "own", "cover"), "in-use")
            self.assertEqual(self.code(self.client.put_artwork, "own", "cover", CLIP), "conflict")

    def test_a_file_can_wait_and_its_path_need_not_be_text(self):
        path = os.fsencode(service.folder) + b"/b \xff%2F.mp4"
        with open(path, "wb") as file:
            file.write(Path(CLIP).read_bytes())
        self.assertEqual(self.client.put_artwork("waiting", "1x1", path, prepare=False).status, "registered")
        with self.publish("waiting", artwork={"1x1": "waiting"}) as session:
            self.assertEqual(Path(session.video("1x1", 9, 9).path).read_bytes(), Path(CLIP).read_bytes())

    def test_sessions_of_applications_are_apart(self):
        with self.publish("main", content=Content("music", "One")) as one, self.client.publish(
            "main", application="org.example.other", content=Content("music", "Two")
        ) as two:
            two.seek(2)
            one.seek(1)
            self.assertEqual(self.code(self.client.session, "main"), "ambiguous-session")
            seen = self.client.session("main", application="org.example.other")
            self.assertEqual((seen.content.title, seen.playback.elapsed_seconds), ("Two", 2))
            two.make_primary("system")
            self.assertEqual(self.client.now_playing().shown.application, "org.example.other")
            self.client.end_session("main", application="org.example.other")
            self.assertTrue(two.wait(60))
            self.assertFalse(one.is_ended)
            one.pause()
        self.assertIsNone(service.session("main"))

    def test_conditions(self):
        changed = self.client.set_conditions(Conditions(thermal="serious", supported_keys=()))
        self.assertEqual(service.ask("GET", "/v1/conditions")[1]["supportedKeys"], [])
        self.assertEqual(self.client.conditions(), changed)
        self.client.set_conditions(Conditions(low_power=True))
        self.client.put_artwork("low", "1x1", CLIP)
        with self.publish("low", artwork={"1x1": "low"}) as session:
            video = session.video("1x1", 9, 9)
            self.assertEqual((video.path, video.show, video.reason.code), (None, "preview", "low-power"))
        self.client.set_conditions(Conditions())
        self.assertEqual(service.ask("GET", "/v1/conditions")[1]["thermal"], "nominal")

    def test_events(self):
        with self.client.events() as events:
            self.assertEqual(next(events).name, "now-playing")
            with self.publish("seen"):
                self.assertEqual(next(events).data["sessionID"], "seen")
            names = []
            for event in events:
                names.append(event.name)
                if event.name == "session" and event.data.get("ended"):
                    break
        self.assertNotIn("missed", names)
        # What comes after the last event is known to a client that comes back.
        with self.publish("unseen"), self.client.events(after=event.id) as events:
            self.assertEqual(next(event for event in events if event.name == "session").data["sessionID"], "unseen")

    def test_tcp_with_the_token(self):
        log = (service.folder / "log").read_text()
        url = re.search(r"http://127\.0\.0\.1:\d+", log)[0]
        client = Client(url=url, token_file=service.token)
        with client.publish("tcp", application="a"):
            self.assertIsNotNone(service.session("tcp"))
        with self.assertRaises(ArtworkdError) as caught:
            Client(url=url).now_playing()
        self.assertEqual((caught.exception.code, caught.exception.status), ("unauthorized", 401))
        self.assertIn("token_file", caught.exception.hint)
        for wrong in ("127.0.0.1:80", "https://127.0.0.1:80", "http://127.0.0.1", "http://127.0.0.1:99999", "http://a:1/b"):
            self.assertEqual(self.code(Client, url=wrong), "bad-request")

    def test_the_socket_is_that_of_the_tool(self):
        before = dict(os.environ)
        try:
            os.environ.update(ARTWORKD_SOCKET="", XDG_RUNTIME_DIR="/run/user/7")
            self.assertEqual(default_socket(), "/run/user/7/artworkd/artworkd.sock")
            os.environ["XDG_RUNTIME_DIR"] = "relative"
            self.assertEqual(default_socket(), f"/tmp/artworkd-{os.geteuid()}/artworkd.sock")
            os.environ["ARTWORKD_SOCKET"] = service.socket
            self.assertEqual(Client().conditions(), Conditions())
        finally:
            os.environ.clear()
            os.environ.update(before)

    def test_threads_share_a_client(self):
        with self.publish("shared") as session:
            threads = [threading.Thread(target=session.seek, args=(number,)) for number in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            last = service.session("shared")["playback"]["elapsedSeconds"]
            self.assertEqual(last, session._session.playback.elapsed_seconds)


class BadServerTests(unittest.TestCase):
    def test_the_holds_of_all_clients(self):
        for row in HOLDS:
            with self.subTest(row["hold"]), FakeHold(row) as server:
                session = Client(server.socket).publish(
                    "s", application="org.example.tests", content=Content("music", "One"), commands={"pause": {}})
                try:
                    session.update(content=Content("music", "Two"))
                except ArtworkdError as error:
                    self.assertEqual(error.code, row.get("trouble", error.code))
                if "trouble" in row:
                    self.assertEqual(until(lambda: session.trouble, "it says so").code, row["trouble"])
                    server.go.set()
                server.check()
                self.assertTrue(session.wait(60) if row.get("ends") else not session.is_ended)
                until(lambda: session.trouble is None, "nothing is wrong any more")
                session.end()

    def test_a_user_beyond_31_bits_is_trusted(self):
        user = 2**31 + 7
        with FakeServer(JSON + "Content-Length: 2\r\n\r\n{}") as server, \
                mock.patch("os.geteuid", lambda: user), \
                mock.patch("socket.socket.getsockopt", lambda *_: struct.pack("=iII", 1, user, user)):
            self.assertEqual(Client(server.socket).conditions(), Conditions())

    def failure(self, call, *arguments, **named):
        with self.assertRaises(ArtworkdError) as caught:
            call(*arguments, **named)
        return caught.exception

    def test_no_hostile_answer_is_taken_for_one(self):
        for name, answer in HOSTILE.items():
            with self.subTest(name), FakeServer(answer) as server:
                client = Client(server.socket, timeout=1)
                client._long = 1
                error = self.failure(client.video, "s", "1x1", 9, 9)
                self.assertIn(error.code, ("lost", "late", "not-understood"))

    def test_errors_without_a_problem_document_have_a_status(self):
        for body in ("", "<html>", "[]", '{"code":7,"detail":[]}'):
            answer = f"HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            with FakeServer(answer) as server:
                error = self.failure(Client(server.socket).conditions)
                self.assertEqual((error.code, error.status, error.retry_after), ("status-503", 503, 7))

    def test_a_server_that_is_late_does_not_hold_the_client(self):
        def trickle(send):
            send(JSON)
            while True:
                send("X")
                time.sleep(0.01)

        for answer, waits in (("", True), (JSON, True), (trickle, False), (CHUNKED + "5\r\n{", True)):
            with FakeServer(answer, waits) as server:
                began = time.monotonic()
                self.assertEqual(self.failure(Client(server.socket, timeout=0.2).conditions).code, "late")
                self.assertGreater(time.monotonic() - began, 0.15)

    def test_hostile_events(self):
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        with FakeServer(head + ": a comment\r\n\r\nid: 4\r\nevent: lease\ndata: {\ndata: }\n\nevent: half\ndata: {}") as server:
            events = list(Client(server.socket).events())
            self.assertEqual([(event.name, event.data, event.id) for event in events], [("lease", {}, "4")])
        for stream in ("data: nothing\n\n", "data: [1]\n\n", "event: \xff\n\n".encode("latin-1")):
            data = stream if isinstance(stream, bytes) else stream.encode()
            with FakeServer(head.encode() + data) as server:
                with Client(server.socket).events() as events:
                    self.assertEqual(self.failure(next, events).code, "not-understood")
        with FakeServer(head, waits=True) as server, Client(server.socket).events(silence=0.1) as events:
            self.assertEqual(self.failure(next, events).code, "late")
        with FakeServer(JSON + "Content-Length: 2\r\n\r\n{}") as server:
            self.assertEqual(self.failure(Client(server.socket).events).code, "not-understood")

    @unittest.skipUnless(os.geteuid() == 0, "only root can start a process of another user")
    def test_a_socket_of_another_user_hears_nothing(self):
        with foreign_socket() as path:
            self.assertEqual(self.failure(Client(path).now_playing).code, "untrusted")

    def test_a_default_folder_that_others_may_enter_is_not_trusted(self):
        with tempfile.TemporaryDirectory() as runtime, FakeServer(JSON + "Content-Length: 2\r\n\r\n{}") as server:
            folder = Path(runtime) / "artworkd"
            folder.mkdir(0o700)
            (folder / "artworkd.sock").symlink_to(server.socket)
            environment = {"XDG_RUNTIME_DIR": runtime, "ARTWORKD_SOCKET": ""}
            with mock.patch.dict(os.environ, environment):
                self.assertEqual(Client().conditions(), Conditions())
                folder.chmod(0o755)
                self.assertEqual(self.failure(Client().conditions).code, "untrusted")
            with mock.patch.dict(os.environ, {"ARTWORKD_SOCKET": str(folder / "artworkd.sock")}):
                self.assertEqual(Client().conditions(), Conditions())

    def test_a_crowd_at_the_socket_is_waited_for(self):
        with crowded_socket() as (path, let_in):
            self.assertEqual(self.failure(Client(path, timeout=0.3).conditions).code, "busy")
            let_in(JSON + "Content-Length: 2\r\n\r\n{}")
            self.assertEqual(Client(path).conditions(), Conditions())

    def test_without_a_service(self):
        for path in ("/nowhere/a.sock", "x" * 200, "a\0b"):
            error = self.failure(Client(path).conditions)
            self.assertEqual((error.code, error.status), ("no-service", None))
            self.assertIn("artworkd serve", error.hint)


if __name__ == "__main__":
    unittest.main()
