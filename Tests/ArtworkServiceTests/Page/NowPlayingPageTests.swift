import ArtworkService
import TestSupport

/// The Now Playing page of a running service in headless Chromium.
@Suite(.enabled(if: Browser.isInstalled, Browser.absence), .serialized, .timeLimit(.minutes(5)))
struct NowPlayingPageTests {
  /// A service with one song that has both variants, and a podcast.
  private struct Scene {
    let folder: TemporaryFolder
    let address: String
    private let service: RunningTool

    init() throws {
      folder = try TemporaryFolder()
      service = try RunningTool([
        "serve", "--socket", folder.url("run/a.sock").path, "--listen", "127.0.0.1:0", "--store",
        folder.url("store").path,
      ])
      try #require(service.prints("; the token is in "))
      let place = try #require(service.error.firstMatch(of: /http:[^;]+/)).0
      address = try "\(place)/#token=\(folder.text("run/token").dropLast())"
    }

    /// Runs scripts and requests one after the other, and returns what each came to, as text.
    func see(
      _ steps: [Any], _ view: Browser.View = .init(width: 1180)
    ) throws -> (values: [String], log: [String]) {
      let published = try Self.published()
      let seen = try Browser.see(
        address, view, helpers: NowPlayingPageTests.until, steps: published + steps)
      return (Array(seen.values.dropFirst(published.count)), seen.log)
    }

    static func put(_ path: String, _ body: [String: Any], method: String = "PUT") -> [String: Any] {
      ["method": method, "path": "/v1/" + path, "body": body]
    }

    private static func published() throws -> [Any] {
      func source(_ id: String, _ key: String, _ fixture: String) -> Any {
        put("artworks/\(id)/\(key)?wait=28", ["source": ["path": Fixture.named(fixture).url.path]])
      }
      return [
        source("song", "1x1", "good-1x1.mp4"), source("song", "3x4", "good-3x4.mp4"),
        put(
          "sessions/one",
          [
            "application": "Player",
            "content": ["kind": "music", "title": "<b>Song</b>", "subtitle": "Artist"],
            "artwork": ["1x1": "song", "3x4": "song"],
            "playback": ["state": "playing", "elapsedSeconds": 60, "durationSeconds": 200],
          ]),
        put(
          "sessions/two",
          [
            "application": "Podcasts",
            "content": [
              "kind": "podcast", "title": "Episode", "description": "About <i>it</i>.",
              "chapters": [
                ["title": "Late", "startSeconds": 2000], ["title": "Part 1", "startSeconds": 300],
              ],
              "metadata": [
                ["identifier": "subtitle", "value": "Eine Sendung", "language": "de"],
                ["identifier": "subtitle", "value": "A show", "language": "en"],
              ],
            ],
            "playback": [
              "state": "paused", "elapsedSeconds": 700, "durationSeconds": 3120,
              "adBreaks": [["startSeconds": 600, "durationSeconds": 120]],
            ],
          ]),
        put("sessions/one/primary", ["scope": "system"], method: "POST"),
      ]
    }
  }

  /// Waits until something is so, and returns it.
  private static let until = """
    const until = async (what) => {
      for (let round = 0; round < 900; round += 1) {
        const value = what();
        if (value) return value;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`never: ${what}`);
    };
    """

  /// Waits until the video is visible.
  private static let moving = "await until(() => document.querySelector('#screen.moving'));"

  @Test("the video plays, and its title and progress are announced")
  func playing() throws {
    let seen = try Scene().see([
      Self.moving + """
        const video = document.querySelector('video');
        const times = [video.currentTime];
        while (times.length < 4) times.push(await until(() => video.currentTime !== times.at(-1) && video.currentTime));
        return new Set(times).size;
        """,
      "return document.getElementById('title').textContent + document.querySelectorAll('#title b').length",
      "return /^[1-3]:[0-5]\\d$/.test(document.getElementById('elapsed').textContent)",
      "return location.hash + sessionStorage.getItem('token').length",
      "return document.documentElement.scrollWidth <= innerWidth",
    ])
    #expect(seen.values == ["4", "<b>Song</b>0", "1", "64", "1"])
    #expect(seen.log == [])
  }

  @Test("a tall window shows the tall variant, and 400 pixels are wide enough", .nightly)
  func tall() throws {
    let seen = try Scene().see(
      [
        Self.moving
          + "const video = document.querySelector('video'); return video.videoWidth / video.videoHeight",
        "return document.documentElement.scrollWidth",
      ], .init(width: 400))
    #expect(seen.values == ["0.75", "400"])
  }

  @Test("low power shows the preview and why, and its end the video again", .nightly)
  func lowPower() throws {
    let toggle = "document.querySelector('[data-name=lowPower]').click();"
    let seen = try Scene().see([
      Self.moving + toggle + """
        await until(() => !document.querySelector('#screen.moving'));
        await until(() => document.getElementById('preview').naturalWidth && !document.getElementById('preview').hidden);
        return document.getElementById('shows').textContent + ' ' + document.getElementById('reason').textContent;
        """,
      toggle + Self.moving + "return document.getElementById('shows').textContent",
    ])
    #expect(seen.values == ["Preview 1x1. Low Power Mode is on.", "Video 1x1."])
  }

  @Test(
    "a track at its end is shown as ended, and the path of a lease breaks after slashes", .nightly)
  func finished() throws {
    let playback: [String: Any] = [
      "state": "playing", "elapsedSeconds": 199.5, "durationSeconds": 200,
    ]
    let seen = try Scene().see(
      [
        Scene.put("sessions/one/artwork/1x1/video", ["width": 96, "height": 96], method: "POST"),
        Scene.put(
          "sessions/one",
          [
            "application": "Player", "content": ["kind": "music", "title": "Song"],
            "artwork": ["1x1": "song"], "playback": playback,
          ]),
        """
        const text = (id) => document.getElementById(id).textContent;
        await until(() => text('elapsed') === '3:20');
        return `${text('elapsed')} ${text('state')} ${text('left')} ${document.getElementById('bar').getAttribute('aria-valuetext')}`;
        """,
        """
        const path = await until(() => document.querySelector('#leases .path'));
        const lines = [...path.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          return new Set([...range.getClientRects()].map((box) => box.top)).size;
        });
        return `${new RegExp('^/.+/leases/[^/]+/.+[.]mp4$').test(path.textContent)} ${Math.max(...lines)} ${path.getClientRects()[0].height > 20}`;
        """,
      ], .init(width: 700))
    #expect(seen.values.dropFirst(2) == ["3:20 Finished 3:20 Finished", "true 1 true"])
  }

  @Test("controls ask the player of what is shown, and show why it did not", .nightly)
  func controls() throws {
    let commands: [String: Any] = [
      "play": [:], "pause": [:], "next": ["enabled": false], "seekToPosition": [:],
      "skipForward": ["preferredIntervals": [15]], "skipBackward": ["enabledInAds": false],
      "changeRepeatMode": ["mode": "all"], "like": ["active": true],
      "changePlaybackRate": ["supportedRates": [1, 1.5], "rate": 1],
    ]
    let seen = try Scene().see([
      Scene.put("sessions/one", ["commands": commands], method: "PATCH"),
      """
      window.got = [];
      listen('v1/events?own=one&application=Player', async (name, data) => {
        window.heard = true;
        if (name !== 'command') return;
        const { number, sent, sessionID, application, ...asked } = JSON.parse(data);
        got.push(asked);
        const answer = asked.command === 'like' ? { status: 'failed', message: 'The player is offline.' } : { status: 'success' };
        await ask(`v1/sessions/one/commands/${number}?application=Player`, {
          method: 'POST', body: JSON.stringify(answer), headers: { 'Content-Type': 'application/json' } });
      });
      const find = (name) => document.querySelector(`#controls [data-name=${name}]`);
      // Before its first event, the service has no player to ask.
      await until(() => window.heard && find('toggle'));
      const names = [...document.querySelectorAll('#controls [data-name]')]
        .map((one) => one.dataset.name + (one.disabled ? '!' : '')).join(' ');
      const asks = async (act) => {
        const count = got.length;
        act();
        await until(() => got.length > count);
      };
      const change = (element) => ['input', 'change'].forEach((name) => element.dispatchEvent(new Event(name)));
      await asks(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true })));
      await asks(() => find('skipForward').click());
      await asks(() => find('changeRepeatMode').click());
      await asks(() => {
        find('changePlaybackRate').selectedIndex = 1;
        change(find('changePlaybackRate'));
      });
      await asks(() => {
        document.getElementById('scrubber').value = 90;
        change(document.getElementById('scrubber'));
      });
      await asks(() => find('like').click());
      await until(() => document.getElementById('notice').textContent.includes('offline'));
      return [names, ...got.map((one) => JSON.stringify(one))].join(' | ');
      """,
      Scene.put("sessions/one", ["commands": NSNull()], method: "PATCH"),
      """
      await until(() => document.getElementById('controls').hidden);
      return document.getElementById('scrubber').hidden;
      """,
    ])
    #expect(
      seen.values == [
        "200",
        [
          "skipBackward toggle skipForward next! changeRepeatMode like changePlaybackRate",
          #"{"command":"pause"}"#, #"{"command":"skipForward","interval":15}"#,
          #"{"command":"changeRepeatMode","mode":"one"}"#,
          #"{"command":"changePlaybackRate","rate":1.5}"#,
          #"{"command":"seekToPosition","position":90}"#, #"{"active":false,"command":"like"}"#,
        ].joined(separator: " | "), "200", "1",
      ])
    #expect(seen.log == [])
  }

  /// Answers the commands for a session with success, without doing anything.
  private static let answering = """
    window.got = [];
    listen('v1/events?own=one&application=Player', async (name, data) => {
      window.heard = true;
      if (name !== 'command') return;
      const { number, sent, sessionID, application, ...asked } = JSON.parse(data);
      got.push(JSON.stringify(asked));
      await ask(`v1/sessions/one/commands/${number}?application=Player`, {
        method: 'POST', body: '{"status":"success"}', headers: { 'Content-Type': 'application/json' } });
    });
    """

  @Test(
    "a choice begins with what is on now if that is no entry, and languages can be switched off",
    .nightly)
  func choices() throws {
    func commands(_ active: Bool, disables: Bool = true) -> [String: Any] {
      let options = [
        ["id": "en", "name": "English", "kind": "legible"],
        ["id": "de", "name": "Deutsch", "kind": "legible", "active": active],
      ]
      return [
        "enableLanguageOption": ["options": options],
        "disableLanguageOption": disables ? ["options": options] : NSNull(),
        "changePlaybackRate": ["supportedRates": [1, 2]],
        "rating": ["maximum": 5, "rating": 2.5],
      ]
    }
    /// The entries of a choice, the selected one in brackets.
    let entries = """
      const find = (name) => document.querySelector(`#controls [data-name=${name}]`);
      const entries = (name) => [...find(name).options].map((one) => one.selected ? `[${one.text}]` : one.text).join(' ');
      const choose = async (name, text) => {
        const [element, count] = [find(name), got.length];
        element.selectedIndex = [...element.options].findIndex((one) => one.text === text);
        element.dispatchEvent(new Event('change'));
        await until(() => got.length > count && entries(name).includes('['));
        return got.at(-1);
      };
      """
    let seen = try Scene().see([
      Scene.put(
        "sessions/one",
        [
          "commands": commands(false),
          "playback": ["state": "playing", "rate": 1.5, "elapsedSeconds": 0],
        ], method: "PATCH"),
      Self.answering + entries + """
        await until(() => window.heard && find('rating'));
        return ['changePlaybackRate', 'rating', 'enableLanguageOption'].map(entries).join(' | ');
        """,
      // The first entries that the service would carry out.
      entries + """
        const asked = [await choose('changePlaybackRate', '1×'), await choose('rating', '0 of 5'), await choose('enableLanguageOption', 'English')];
        await until(() => entries('enableLanguageOption').startsWith('[Off]'));
        return asked.join(' | ');
        """,
      Scene.put("sessions/one", ["commands": commands(true)], method: "PATCH"),
      entries + """
        await until(() => entries('enableLanguageOption').includes('[Deutsch]'));
        const before = entries('enableLanguageOption');
        return [before, await choose('enableLanguageOption', 'Off')].join(' | ');
        """,
      Scene.put("sessions/one", ["commands": commands(true, disables: false)], method: "PATCH"),
      entries + """
        await until(() => find('enableLanguageOption').length === 2);
        return entries('enableLanguageOption');
        """,
    ])
    #expect(
      seen.values == [
        "200",
        "[1.5×] 1× 2× | [2.5 of 5] 0 of 5 1 of 5 2 of 5 3 of 5 4 of 5 5 of 5 | [Off] English Deutsch",
        [
          #"{"command":"changePlaybackRate","rate":1}"#, #"{"command":"rating","rating":0}"#,
          #"{"command":"enableLanguageOption","option":"en"}"#,
        ].joined(separator: " | "), "200",
        #"Off English [Deutsch] | {"command":"disableLanguageOption","option":"de"}"#, "200",
        "English [Deutsch]",
      ])
    #expect(seen.log == [])
  }

  @Test(
    "another session is promoted, its ads and its cover are shown, and with the last one the page is empty",
    .nightly
  )
  func sessions() throws {
    let title = "document.getElementById('title').textContent"
    let seen = try Scene().see([
      Self.moving + """
        (await until(() => [...document.querySelectorAll('#sessions button')].find((one) => one.textContent === 'Make system primary'))).click();
        await until(() => \(title) === 'Episode');
        return ['shows', 'badge', 'elapsed', 'subtitle', 'chapter', 'description'].map((id) => document.getElementById(id).textContent).join(' ');
        """,
      Scene.put(
        "artworks/episode/cover?wait=28", ["source": ["path": Fixture.named("cover.jpg").url.path]]),
      Scene.put("sessions/two", ["cover": "episode"], method: "PATCH"),
      """
      const preview = document.getElementById('preview');
      await until(() => preview.naturalWidth && !preview.hidden);
      return preview.alt;
      """,
      ["method": "DELETE", "path": "/v1/sessions/two"],
      ["method": "DELETE", "path": "/v1/sessions/one"],
      """
      await until(() => \(title) === 'Nothing is playing' && document.querySelector('#sessions .none'));
      return document.getElementById('video').hidden && document.getElementById('preview').hidden;
      """,
    ])
    #expect(
      seen.values == [
        "Static cover 1x1. Ad · 0:20 left 10:00 A show Part 1 About <i>it</i>.", "201", "200",
        "Static cover", "204", "204", "1",
      ])
  }

  @Test(
    "without a token nothing is shown, and the page states where it is", .nightly,
    arguments: ["", "#token=0"])
  func withoutToken(fragment: String) throws {
    let scene = try Scene()
    _ = try scene.see([])
    let steps = [
      "return await until(() => document.getElementById('notice').textContent)",
      "return ['title', 'link', 'shows', 'reason', 'sessions', 'leases', 'artworks'].map((id) => "
        + "document.getElementById(id).textContent).join(' | ')",
      "return [...document.querySelectorAll('#panels button, #panels input, #panels "
        + "select')].filter((one) => !one.disabled).length",
      // The right address in the same tab.
      "location.hash = 'token=\(scene.address.drop { $0 != "=" }.dropFirst())'; return 1",
    ]
    let seen = try Browser.see(
      scene.address.prefix { $0 != "#" } + fragment, helpers: Self.until, steps: steps)
    #expect(seen.values[0].contains("Open the address with #token="), "\(seen)")
    let shown =
      "No valid token | No valid token |  | The service answers this page only with its token; "
      + "the message above says where to find it."
      + String(repeating: " | Not known without the token.", count: 3)
    #expect(seen.values[1...2] == [shown, "0"], "\(seen)")
  }

  @Test("the token goes to no other place than the service's requests", .nightly)
  func tokenStays() throws {
    let seen = try Scene().see([
      Self.moving + "return document.cookie + location.href.includes('token')",
      // The requests that a server at another port of this host would receive.
      "return [...document.querySelectorAll('[src], [href]')].filter((one) => (one.src + "
        + "one.href).includes('token')).length",
      "return performance.getEntriesByType('resource').filter((one) => one.name.includes('token')).length",
    ])
    #expect(seen.values == ["false", "0", "0"])
  }

  @Test("who asked for less motion sees the first frame until they ask for more", .nightly)
  func calm() throws {
    let seen = try Scene().see(
      [
        "await until(() => !document.getElementById('preview').hidden); return document.getElementById('video').hidden",
        "document.getElementById('play').click();" + Self.moving + "return 'moves'",
      ], .init(width: 1180, isCalm: true))
    #expect(seen.values == ["1", "moves"])
  }
}
