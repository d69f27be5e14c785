@Suite(.enabled(if: Browser.isInstalled, Browser.absence), .serialized) struct PageTests {
  static let clips: [(name: String, fixture: String)] = [
    ("album/100% #1?.mp4", "good-1x1.mp4"), ("album/3x4.mp4", "good-3x4.mp4"), ("album/jump.mp4", "loop-jump.mp4"),
    ("other/broken.mp4", "broken-text.mp4"),
  ]

  /// Real clips below `folder`, really judged, with pictures.
  static func gallery(_ folder: TemporaryFolder, profiles: [Profile] = [.nowPlaying]) throws -> CheckReport {
    var options = Batch.Options(jobs: 1)
    options.profiles = profiles
    let results = try clips.map { name, fixture in
      try folder.copy(Fixture.named(fixture), to: name)
      var result = Batch(options: options).check(Candidate(path: folder.path(name)))
      result.path = FilePath(name)
      result.profiles = profiles.map(\.name)
      if let frames = result.inspection?.facts.frameCount {
        result.reportImages = try ReportImages.made(
          of: folder.url(name), frames: frames, steps: (1..<frames).map { Double($0 % 5) + 2 }, seamStep: 9)
      }
      return result
    }
    return SampleReport.report(results, profiles: profiles)
  }

  @Test("videos play, embedded or beside the page, and every picture is there")
  func gallery() throws {
    let folder = try TemporaryFolder()
    let report = try Self.gallery(folder)
    let tall = Array(try Data(contentsOf: folder.url("album/3x4.mp4")))
    let page = try Page(
      report, in: folder, fragment: "sort=path", contents: { $0 == "album/3x4.mp4" ? tall : nil },
      scripts: [
        "return all('.card').length;",
        """
        const played = [];
        for (const video of all('video')) {
          video.closest('.card').scrollIntoView();
          const plays = await until(() => video.currentTime > 0.2 && video.videoWidth > 0);
          played.push(`${plays} ${video.videoWidth}x${video.videoHeight} ${video.muted} ${video.loop} ${video.src.slice(0, 5)}`);
        }
        return played.sort().join(', ');
        """,
        """
        for (const card of all('.card')) { card.scrollIntoView(); await settle(); }
        await until(() => all('.card img').every((image) => image.naturalWidth > 0));
        return all('.card img').map((image) => `${image.naturalWidth}x${image.naturalHeight}`).join(' ');
        """, "return all('polyline').map((line) => line.getAttribute('points').split(' ').length).join(' ');",
        "return all('.seam-mark').map((seam) => seam.style.left).join(' ');", "return all('.dot').length;",
      ])
    #expect(page.log == [])
    #expect(page.values[0] == "4")
    let videos = report.results.compactMap { $0.inspection?.facts.displayDescription }
    let sources = ["data:", "file:", "file:"]
    #expect(page.values[1].split(separator: ", ").allSatisfy { $0.hasPrefix("true ") && $0.contains(" true true ") })
    #expect(page.values[1].split(separator: ", ").map { String($0.suffix(5)) }.sorted() == sources)
    for size in videos { #expect(page.values[1].contains(size)) }
    // Preview, strip and heat map of three clips.
    #expect(page.values[2].split(separator: " ").count == 9)
    #expect(page.values[2].split(separator: " ").filter { $0.hasPrefix("720x") }.count == 3)
    let steps = report.results.compactMap(\.reportImages).map { "\($0.steps.count)" }
    #expect(page.values[3].split(separator: " ").map(String.init).sorted() == steps.sorted())
    #expect(page.values[4] == "50% 50% 50%")
    #expect(page.values[5] == "3")
  }

  @Test(.nightly)
  func `a missing video is reported, and where it was searched`() throws {
    let folder = try TemporaryFolder()
    let page = try Page(
      SampleReport.report([SampleReport.result("gone/x.mp4")]), in: folder,
      scripts: [
        "await until(() => !document.querySelector('.missing').hidden); return document.querySelector('.missing').title;"
      ])
    #expect(page.values[0].hasPrefix("the video was not found at gone/x.mp4, or "))
  }

  @Test func `names of any kind are text: no element, no script, no reversal comes of them`() throws {
    var report = SampleReport.hostile
    for index in report.results.indices {
      let name = report.results[index].path.string
      report.results[index].artworkID = name
      report.results[index].inspection?.facts.codec = name
      for place in report.results[index].findings.indices {
        report.results[index].findings[place].command = "ffmpeg -i '\(name)'"
      }
    }
    let page = try Page(
      report, in: try TemporaryFolder(), .init(isCalm: true), fragment: "view=cards",
      scripts: [
        "return document.title;", "return all('script').length;",
        "return all('main img, main iframe, main a, main b, main object, main form').length;",
        "return all('.card .name').map((name) => name.textContent).join('\\n');",
        """
        const unsafe = all('.command').filter((line) => ['\\\\u{', '\\ufffd'].some((word) => line.textContent.includes(word)));
        return `${unsafe.length > 8} ${unsafe.some((line) => line.querySelector('.copy'))}`;
        """, "return String(/[\\u0000-\\u0008\\u000b-\\u001f\\u202e\\u2028]/.test(document.body.innerText));",
        "choose('search', '<img src=x'); await settle(); return String(all('.card:not([hidden])').length);",
      ])
    #expect(page.log.filter { !$0.contains("ERR_FILE_NOT_FOUND") } == [])
    #expect(page.values[0].hasPrefix("Animated artwork"))
    #expect(page.values[1] == "2" && page.values[2] == "0")
    let names = page.values[3].split(separator: "\n").map(String.init)
    #expect(names.count == report.results.count)
    for name in SampleReport.hostileNames { #expect(names.contains((name.lastComponent?.string ?? "").printable)) }
    // Names that a terminal would interpret, or that are not text: no one should paste these.
    #expect(page.values[4] == "true false")
    #expect(page.values[5] == "false")
    #expect(page.values[6] == "3")
  }

  @Test(.nightly)
  func `verdicts, rules, words and profiles filter; cards are sorted as asked`() throws {
    let profiles = [Profile.nowPlaying, .web]
    let results = [
      SampleReport.result("a/pass.mp4", profiles: profiles) { ($0.fileBytes, $0.durationSeconds) = (10, 9) },
      SampleReport.result(
        "a/warn.mp4", [SampleReport.finding("color", .warning), SampleReport.finding("color", .warning, profile: "web")],
        profiles: profiles
      ) { ($0.fileBytes, $0.durationSeconds) = (30, 5) },
      SampleReport.result("b/fail.mp4", [SampleReport.finding("codec", .error, profile: "web")], profiles: profiles) {
        ($0.fileBytes, $0.durationSeconds) = (20, 7)
      }, SampleReport.error("b/error.mp4", profiles: profiles),
    ]
    let page = try Page(
      SampleReport.report(results, profiles: profiles), in: try TemporaryFolder(), .init(isCalm: true),
      scripts: [
        "return `${shown()}: ${all('.remedy:not([hidden])').map((heading) => heading.textContent).join(', ')}`;",
        "choose('sort', 'worst'); return `${shown()} ${all('.remedy').length}`;", "choose('sort', 'path'); return shown();",
        "choose('sort', 'verdict'); return shown();", "choose('sort', 'size'); return shown();",
        "choose('sort', 'duration'); return shown();",
        "choose('sort', 'path'); document.querySelector('#needs .you').click(); return shown();",
        "document.querySelector('#needs .ready').click(); return `${shown()} ${all('#needs [aria-pressed=true]').length}`;",
        "document.querySelector('#needs .ready').click(); document.querySelector('#needs .you').click(); return shown();",
        "choose('rule', 'color'); return `${shown()}; ${document.getElementById('shown').textContent}`;",
        "choose('rule', ''); choose('search', 'B/ h264'); await settle(); return shown();",
        "choose('search', 'nothing like it'); await settle(); return document.querySelector('.empty').textContent + shown();",
        """
        choose('search', ''); choose('profile', 'now-playing'); await settle();
        return all('.card').map((card) => card.querySelector('.badge').textContent).join(', ');
        """, "return all('#needs button').map((button) => button.textContent).join(', ');",
      ])
    #expect(
      page.values == [
        "error.mp4 fail.mp4 warn.mp4 pass.mp4: Needs you 3No command fixes all of it., Ready 1Nothing to do.",
        "error.mp4 fail.mp4 warn.mp4 pass.mp4 0", "pass.mp4 warn.mp4 fail.mp4 error.mp4",
        "pass.mp4 warn.mp4 fail.mp4 error.mp4", "warn.mp4 fail.mp4 pass.mp4 error.mp4", "pass.mp4 fail.mp4 warn.mp4 error.mp4",
        "warn.mp4 fail.mp4 error.mp4", "pass.mp4 warn.mp4 fail.mp4 error.mp4 2", "pass.mp4 warn.mp4 fail.mp4 error.mp4",
        "warn.mp4; 1 of 4 releases", "fail.mp4", "No releases match the filters.", "✓ pass, ! warn, ✓ pass, ✗ error",
        "2 Ready, 0 Same picture, one command, 0 Picture changes, one command, 2 Needs you",
      ])
  }

  @Test(.nightly)
  func `the matrix has a row for each file and a column for each profile, and leads to the cards`() throws {
    let profiles = [Profile.nowPlaying, .web]
    let results = [
      SampleReport.result(
        "a.mp4",
        [SampleReport.finding("codec", .error, profile: "web"), SampleReport.finding("color", .warning, profile: "web")],
        profiles: profiles), SampleReport.error("b.mp4", profiles: profiles),
    ]
    let page = try Page(
      SampleReport.report(results, profiles: profiles), in: try TemporaryFolder(), .init(isCalm: true),
      scripts: [
        "return all('#matrix tr').map((row) => [...row.children].map((cell) => cell.textContent).join('|')).join('; ');",
        "all('#matrix td a')[3].click(); return document.querySelector('.card.current .name').textContent;",
        "return all('.for').map((name) => name.textContent).join(' ');",
        "document.querySelector('#needs .you').click(); return all('#matrix tbody tr:not([hidden])').length;",
      ])
    #expect(
      page.values == [
        "candidate|now-playing|web; b.mp4|✗ not-a-movie|✗ not-a-movie; a.mp4|✓|✗ codec +1", "a.mp4", "web web", "2",
      ])
  }

  @Test(.nightly)
  func `five hundred candidates: only videos near the window have a source`() throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixture.named("good-1x1.mp4"), to: "clip.mp4")
    let results = (0..<500).map { number in
      var result = SampleReport.result("clip.mp4", number % 3 == 0 ? [SampleReport.finding()] : [])
      result.artworkID = "number-\(number)"
      return result
    }
    let count = "all('video[src]').length"
    let page = try Page(
      SampleReport.report(results), in: folder, fragment: "view=cards",
      scripts: [
        "return document.getElementById('shown').textContent;",
        "await until(() => \(count) > 0); await settle(); return \(count);",
        """
        const first = all('video')[0];
        for (let turn = 0; turn < 3; turn++) {
          window.scrollTo(0, document.body.scrollHeight); await settle(); await settle();
        }
        const last = () => all('.card').at(-1).querySelector('video');
        const plays = await until(() => last()?.currentTime > 0 && !first.hasAttribute('src'));
        return `${plays} ${all('video').length < 100}`;
        """, "return \(count);", "choose('search', 'number-77'); await settle(); return all('.card:not([hidden])').length;",
      ])
    #expect(page.log == [])
    #expect(page.values[0] == "500 releases" && page.values[2] == "true true" && page.values[4] == "1")
    for place in [1, 3] { #expect((1...8).contains(Int(page.values[place]) ?? 0)) }
  }

  @Test(.nightly)
  func `of 1,500, an overview comes first, in few elements, in each view and wherever one looks`() throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixture.named("good-1x1.mp4"), to: "clip.mp4")
    let results = (0..<1500).map { number in
      var result = SampleReport.result("clip.mp4", number % 3 == 0 ? [SampleReport.finding()] : [], profiles: [.nowPlaying]) {
        $0.durationSeconds = Double(number)
      }
      result.artworkID = "number-\(number)"
      return result
    }
    let nodes = "document.getElementsByTagName('*').length"
    let page = try Page(
      SampleReport.report(results), in: folder,
      scripts: [
        "return `${all('.tile').length > 8} ${all('.card').length} ${\(nodes) < 4000}`;",
        """
        const moves = await until(() => all('.tile .moving video').some((video) => video.currentTime > 0));
        window.scrollTo(0, document.body.scrollHeight / 2); await settle(); await settle();
        await until(() => all('.tile').some((tile) => tile.getBoundingClientRect().top > 0 && tile.getBoundingClientRect().top < innerHeight));
        return `${moves} ${all('.tile video').length <= 16} ${\(nodes) < 4000}`;
        """,
        """
        press('v'); await settle();
        const names = () => all('.list tbody tr:not(.reserved)').slice(0, 3).map((row) => row.children[4].textContent).join(' ');
        const by = () => all('.by').find((button) => button.textContent === 'seconds');
        by().click(); await settle();
        const longest = names();
        by().click(); await settle();
        return `${longest}; ${names()}; ${document.querySelector('[aria-sort]').getAttribute('aria-sort')} ${\(nodes) < 4000}`;
        """,
        """
        await until(() => location.hash.includes('sort=-duration'));
        const hash = location.hash;
        all('.list tbody a')[0].click(); await settle();
        const card = `${document.querySelector('.current .name').textContent} ${all('.tile, .list').length}`;
        history.back(); await until(() => all('.list').length === 1);
        return `${hash}; ${card}; ${all('.list').length} ${\(nodes) < 4000}`;
        """,
      ])
    #expect(page.log == [])
    #expect(
      page.values == [
        "true 0 true", "true true true", "1499 1498 1497; 0 1 2; ascending true",
        "#view=table&sort=-duration; clip.mp4 0; 1 true",
      ])
  }

  @Test(.nightly)
  func `what a copy repairs comes before what takes encoding, and a person last`() throws {
    let results = [
      SampleReport.clip("hand.mp4", [SampleReport.finding("flash", .error, "it flashes", help: "export it")]),
      SampleReport.clip(
        "part.mp4",
        [
          SampleReport.finding("flash", .error, "it flashes", help: "export it"),
          SampleReport.repaired("codec-tag", "part.mp4", .lossless),
        ]), SampleReport.clip("encode.mp4", [SampleReport.repaired("letterbox", "encode.mp4", .unsafe)]),
      SampleReport.clip("copy.mp4", [SampleReport.repaired("codec-tag", "copy.mp4", .lossless)]),
      SampleReport.clip(
        "two.mp4",
        [SampleReport.repaired("codec-tag", "two.mp4", .lossless), SampleReport.repaired("container", "two.mp4", .lossless)]),
    ]
    let page = try Page(
      SampleReport.report(results), in: try TemporaryFolder(), .init(isCalm: true),
      scripts: [
        "return shown();", "return all('.card .copy').length;",
        """
        document.querySelector('#selection .copy').click();
        await until(() => document.querySelector('#selection .copy').textContent === 'Copied');
        return await navigator.clipboard.readText();
        """, "choose('search', 'copy'); await settle(); return document.querySelector('#selection code').textContent;",
      ])
    #expect(
      page.values == [
        "copy.mp4 two.mp4 encode.mp4 hand.mp4 part.mp4", "4",
        "artworkd repair ./part.mp4 ./encode.mp4 ./copy.mp4 ./two.mp4 --in-place --unsafe",
        "artworkd repair ./copy.mp4 --in-place",
      ])
  }

  @Test(.nightly)
  func `a release with a folder of its own is named as a whole, so that its missing video is made`() throws {
    var missing = SampleReport.finding("pair", .warning, "the 3x4 video is missing")
    missing.command = "artworkd repair './Night Bus' --in-place"
    let flat = SampleReport.repaired("codec-tag", "flat.mp4", .lossless)
    var tag = flat
    tag.command = "artworkd repair ./Tides --in-place"
    let page = try Page(
      SampleReport.report([
        SampleReport.clip("Night Bus/1x1.mp4", release: "Night Bus", [missing]),
        SampleReport.clip("Tides/1x1.mp4", release: "Tides", [tag]), SampleReport.clip("Tides/3x4.mp4", release: "Tides"),
        SampleReport.clip("flat.mp4", release: "Flat", [flat]), SampleReport.clip("Good/1x1.mp4", release: "Good"),
      ]), in: try TemporaryFolder(), .init(isCalm: true), scripts: ["return document.querySelector('#selection').textContent;"])
    #expect(
      page.values[0].hasPrefix("One command for 3 of the 4 releases shown; it keeps the originals: artworkd repair "),
      "\(page.values)")
    let words = Set(page.values[0].matches(of: /'[^']+'|\.\/[^ ]+/).map { String($0.0) })
    #expect(words == ["'./Night Bus'", "./Tides", "./flat.mp4"], "\(page.values)")
  }

  @Test(.nightly)
  func `pictures may be files beside the page`() throws {
    let folder = try TemporaryFolder()
    let report = try Self.gallery(folder)
    var setting = ReportSetting(currentFolder: FilePath(folder.root.path), toolVersion: "1.2.3")
    let place = FilePath(folder.root.path).appending("page-pictures")
    setting.placePicture = { bytes, name in
      try FileManager.default.createDirectory(atPath: place.string, withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: place.appending(name).string))
      return FilePath("page-pictures").appending(name)
    }
    let text = try HTMLReport.render(report, setting)
    #expect(text.contains("page-pictures/0-preview.jpg") && !text.contains("data:image/jpeg"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.string).count == 9)
  }

  @Test(.nightly)
  func `who asked for less motion gets none until a click`() throws {
    let folder = try TemporaryFolder()
    let page = try Page(
      try Self.gallery(folder), in: folder, .init(isCalm: true),
      scripts: [
        """
        await until(() => all('video').some((video) => video.readyState >= 2));
        await new Promise((done) => setTimeout(done, 300));
        return all('video').map((video) => `${video.paused} ${video.currentTime}`).join(', ');
        """,
        """
        const button = all('.play')[0];
        const video = button.parentElement.querySelector('video');
        button.click();
        const plays = await until(() => video.currentTime > 0.1);
        const label = button.getAttribute('aria-label');
        button.click();
        await settle();
        return `${plays} ${label}; ${video.paused} ${button.textContent}`;
        """,
      ])
    #expect(page.values[0] == "true 0, true 0, true 0")
    #expect(page.values[1].hasPrefix("true Pause ") && page.values[1].hasSuffix("; true Play"))
  }

  @Test(.nightly)
  func `dark and light follow the system, and a button overrides it`() throws {
    let scripts = [
      "return getComputedStyle(document.body).backgroundColor;",
      """
      const button = document.getElementById('theme');
      const seen = [];
      for (let turn = 0; turn < 3; turn++) {
        button.click();
        seen.push(`${button.textContent} ${getComputedStyle(document.body).backgroundColor}`);
      }
      return seen.join('; ');
      """,
    ]
    let report = SampleReport.report([SampleReport.error("a.mp4")])
    let light = try Page(report, in: try TemporaryFolder(), scripts: scripts)
    let dark = try Page(report, in: try TemporaryFolder(), .init(isDark: true), scripts: scripts)
    #expect(light.values[0] == "rgb(244, 245, 247)" && dark.values[0] == "rgb(16, 18, 22)")
    #expect(light.values[1] == "Theme: light rgb(244, 245, 247); Theme: dark rgb(16, 18, 22); Theme: system rgb(244, 245, 247)")
    #expect(light.log == [] && dark.log == [])
  }

  @Test(.nightly)
  func `before and after play side by side, keys accept and reject, and the page saves the list`() throws {
    let folder = try TemporaryFolder()
    let report = try Self.gallery(folder)
    var setting = ReportSetting(currentFolder: FilePath(folder.root.path), toolVersion: "1.2.3")
    setting.digest = { "digest of \($0)" }
    setting.before = { [report] path in path == "album/3x4.mp4" ? (report.results[2], ["crops it"]) : nil }
    let file = folder.url("report.html")
    try Data(try HTMLReport.render(report, setting).utf8).write(to: file)
    let seen = try Browser.see(
      file.absoluteString + "#sort=path", .init(), helpers: Page.until,
      steps: [
        """
        const pair = document.querySelector('.pair');
        pair.scrollIntoView();
        const videos = [...pair.querySelectorAll('video')];
        const plays = await until(() => videos.every((video) => video.currentTime > 0));
        return `${videos.length} ${plays} ${[...pair.querySelectorAll('figcaption')].map((one) => one.textContent.trim()).join('|')}`;
        """,
        """
        press('j'); press('a'); press('r');
        element('who').value = 'Ada';
        const list = JSON.parse(approvedList());
        return `${list.schemaVersion} ${list.approved.map(({ sha256, who }) => `${sha256} ${who}`)}; ${list.rejected.map(({ sha256 }) => sha256)}; ${element('looked').textContent}`;
        """,
      ])
    #expect(seen.values[0] == "2 true made of|✓ after, 3x4")
    #expect(
      seen.values[1] == "1 digest of album/100% #1?.mp4 Ada; digest of album/3x4.mp4; 1 accepted, 1 rejected, 2 not looked at")
  }

  @Test func `no script runs but the page's own, and nothing is fetched`() throws {
    let page = try Page(
      SampleReport.report([SampleReport.error("a.mp4")]), in: try TemporaryFolder(),
      scripts: [
        """
        const script = document.createElement('script');
        script.textContent = 'document.title = "it ran"';
        document.head.append(script);
        return document.title;
        """, "try { await fetch('data:text/plain,x'); return 'fetched'; } catch { return 'refused'; }",
        """
        const box = document.createElement('div');
        box.innerHTML = '<img src="data:," onerror="document.title = 1">';
        document.body.append(box);
        await new Promise((done) => setTimeout(done, 200));
        return document.title;
        """,
      ])
    #expect(page.values == ["Animated artwork: 0 of 1 ready", "refused", "Animated artwork: 0 of 1 ready"])
    #expect(page.log.count >= 3)
    #expect(page.log.filter { !$0.contains("Content Security Policy") && !$0.hasSuffix("net::ERR_FILE_NOT_FOUND") } == [])
  }

  @Test("every control and picture has a name, and every card a heading", .nightly)
  func names() throws {
    let folder = try TemporaryFolder()
    let page = try Page(
      try Self.gallery(folder, profiles: [.nowPlaying, .web]), in: folder, .init(isCalm: true),
      scripts: [
        """
        const named = (control) => control.getAttribute('aria-label') || control.textContent.trim()
          || [...(control.labels ?? [])].some((label) => label.textContent.trim());
        return all('button, select, input, a, summary').filter((control) => !named(control)).map((control) => control.outerHTML).join();
        """, "return all('img, svg').filter((picture) => !picture.alt && !picture.querySelector('title')).length;",
        "return `${all('h1').length} ${all('.card').every((card) => card.querySelectorAll('h2').length === 1)}`;",
        "return all('#matrix, main').map((part) => part.querySelectorAll('[tabindex]').length > 0).join();",
      ])
    #expect(page.values == ["", "0", "1 true", "true,true"])
  }

  @Test(.nightly)
  func `a folder without candidates is said to be one`() throws {
    let page = try Page(
      SampleReport.report([]), in: try TemporaryFolder(), scripts: ["return document.querySelector('main').textContent;"])
    #expect(page.values == ["No candidate videos were found."] && page.log == [])
  }

  /// Two releases and a candidate that stands alone, judged and with pictures as in ``gallery(_:profiles:)``.
  static func releases(_ folder: TemporaryFolder) throws -> CheckReport {
    var report = try gallery(folder)
    try folder.copy(.named("cover.jpg"), to: "album/cover.jpg")
    let pair = SampleReport.finding("pair", .warning, "lengths differ", help: "export both")
    for index in 0..<2 {
      report.results[index].artworkID = "album"
      report.results[index].release = Release.Name(folder: folder.path("album"), artworkID: "album")
      report.results[index].cover = Candidate(path: "album/cover.jpg")
      report.results[index].findings.append(pair)
    }
    return report
  }

  @Test("a release is one card, keys lead from card to card, and the address holds the view", .nightly)
  func releases() throws {
    let folder = try TemporaryFolder()
    let page = try Page(
      try Self.releases(folder), in: folder, fragment: "sort=path&q=mp4&need=changes+you&file=album%2Fjump.mp4",
      scripts: [
        """
        const control = (id) => document.getElementById(id).value;
        return `${control('sort')} ${control('search')} ${all('#needs [aria-pressed=true]').map((button) => button.dataset.need)} `
          + `${document.querySelector('.current .name').textContent} ${document.activeElement.id === document.querySelector('.current').id}`;
        """,
        """
        const card = document.querySelector('.card.several');
        card.scrollIntoView();
        await until(() => [...card.querySelectorAll('.shot img')].every((image) => image.naturalWidth > 0));
        const boxes = [...card.querySelectorAll('.shot .screen')].map((screen) => screen.getBoundingClientRect());
        return `${[...card.querySelectorAll('.shot figcaption')].map((caption) => caption.textContent.trim()).join(', ')}; `
          + `${boxes.every((box) => Math.abs(box.top - boxes[0].top) < 1 && box.width > 60)} ${card.querySelector('.still img').naturalWidth > 0} `
          + `${card.querySelectorAll('.part').length} ${card.querySelector('h2').textContent}`;
        """,
        """
        const card = document.querySelector('.card.several');
        const rules = (list) => [...list.querySelectorAll('.rule')].map((rule) => rule.textContent);
        return `${rules(card.querySelector('.body .findings'))} | ${all('.part .findings').flatMap(rules).includes('pair')}`;
        """,
        """
        document.getElementById('search').focus(); press('j');
        const before = document.querySelector('.current .name').textContent;
        document.activeElement.blur();
        const seen = [];
        for (const key of ['k', 'k', 'j', 'j']) { press(key); seen.push(document.querySelector('.current bdi').textContent); }
        press('/');
        return `${before}: ${seen} ${document.activeElement.id}`;
        """,
        """
        document.activeElement.blur(); press('?');
        const isOpen = document.getElementById('help').open;
        document.getElementById('help-close').click();
        return `${isOpen} ${document.getElementById('help').open}`;
        """,
        """
        const button = document.querySelector('.card:not(.several) .copy');
        button.click();
        await until(() => button.textContent === 'Copied');
        return `${await navigator.clipboard.readText()}; ${document.getElementById('said').textContent}`;
        """,
        """
        choose('search', ''); await settle(); choose('sort', 'size'); document.querySelector('#needs .changes').click();
        await until(() => location.hash.includes('size'));
        return location.hash;
        """,
        """
        location.hash = '#q=broken'; await until(() => shown() === 'broken.mp4');
        return `${shown()} ${document.getElementById('sort').value} ${all('#needs [aria-pressed=true]').length}`;
        """,
      ])
    #expect(page.log == [])
    #expect(
      page.values == [
        "path mp4 changes,you jump.mp4 true", "! 1x1, ! 3x4, cover; true true 2 album", "pair | false",
        "jump.mp4: album,album,jump.mp4,broken.mp4 search", "true false",
        "artworkd repair \(folder.path("album/jump.mp4")) --in-place --unsafe; Copied",
        "#need=you&sort=size&file=other%2Fbroken.mp4", "broken.mp4 fix 0",
      ])
  }

  @Test(.nightly)
  func `the loop point plays from the last second into the first, slowly, and frame by frame`() throws {
    let folder = try TemporaryFolder()
    var report = try Self.releases(folder)
    // A codec that no browser plays: the pictures replace it.
    report.results[2].inspection?.facts.codec = "prores"
    try Data("no video".utf8).write(to: folder.url("album/jump.mp4"))
    // Longer than the displayed part of it.
    try FileManager.default.removeItem(at: folder.url("album/100% #1?.mp4"))
    try folder.copy(Fixture.named("good-1x1-2s.mp4"), to: "album/100% #1?.mp4")
    let page = try Page(
      report, in: folder, fragment: "file=album%2F100%25+%231%3F.mp4",
      scripts: [
        """
        press('s');
        const [tail, head] = all('.seam-video');
        const isAt = (video, from, to) => video.classList.contains('shown') && video.currentTime >= from && video.currentTime <= to;
        await until(() => tail.readyState >= 2 && !tail.paused);
        const { duration } = tail;
        const start = await until(() => isAt(tail, duration - 1.01, duration));
        const slow = tail.playbackRate;
        all('.speed')[0].click();
        const wraps = await until(() => isAt(head, 0.1, 1));
        const again = await until(() => isAt(tail, duration - 1.01, duration));
        return `${duration > 1.5} ${start} ${slow} ${head.playbackRate} ${wraps} ${again} ${document.querySelector('dialog[open] h2').textContent}`;
        """,
        """
        const [tail, head] = all('.seam-video');
        const slider = document.querySelector('.player input');
        const place = () => document.querySelector('.place').textContent;
        const rate = 24;
        slider.value = -1; slider.dispatchEvent(new Event('input'));
        const last = `${place()} ${tail.paused} ${tail.classList.contains('shown')} ${tail.currentTime > tail.duration - 1 / rate}`;
        press('ArrowRight');
        const first = `${place()} ${head.classList.contains('shown')} ${head.currentTime < 1 / rate}`;
        press('ArrowRight');
        return `${last}; ${first}; ${place()}; ${slider.getAttribute('aria-valuetext')} ${slider.min} ${slider.max}`;
        """,
        """
        all('.choice')[1].click();
        const [tail] = all('.seam-video');
        await until(() => tail.videoHeight > tail.videoWidth);
        return `${tail.videoHeight > tail.videoWidth} ${document.querySelector('dialog[open] h2').textContent}`;
        """,
        """
        document.querySelector('.player .close').click();
        all('.watch').find((button) => button.ariaLabel.includes('jump')).click();
        await until(() => !document.querySelector('.film').hidden);
        document.querySelector('.player .toggle').click();
        const film = document.querySelector('.film');
        await until(() => film.naturalWidth > 0);
        for (let turn = 0; turn < 6 && document.querySelector('.place').textContent !== 'the last frame'; turn++) press('ArrowLeft');
        const last = film.style.transform;
        press('ArrowRight');
        return `${document.querySelector('.player-note').textContent} ${last} ${film.style.transform}`;
        """,
      ])
    #expect(page.log.filter { !$0.contains("DEMUXER") } == [])
    #expect(
      page.values == [
        "true true 0.25 1 true true The loop point of album, 100% #1?.mp4",
        "the last frame true true true; the first frame true true; 1 frame after the first; 1 frame after the first -24 23",
        "true The loop point of album, 3x4.mp4",
        "Browsers do not play this codec (prores). These are the last 3 frames and the first ones, as the report has them. "
          + "translateX(-33.3333%) translateX(-50%)",
      ])
  }
}
