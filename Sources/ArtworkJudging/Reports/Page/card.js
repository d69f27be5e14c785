const marks = { pass: '✓', warn: '!', fail: '✗', error: '✗' };
const ranks = { error: 0, fail: 1, warn: 2, pass: 3 };
/// The severity of each verdict on the loop; all others are failures.
const loops = { seamless: 'pass', static: 'pass', held: 'warn', shift: 'warn', reverse: 'warn', pop: 'warn', uncertain: 'warn' };
/// Of the pictures of the seam in CSS pixels, where there is room. The pictures in the data are 1.5 to 2 times as high.
const pictureHeight = 84;
const severities = { error: 0, warning: 1, info: 2 };

/// The findings for one profile or for all, worst first. Findings that say the same are combined.
function grouped(findings, profile) {
  const groups = new Map();
  for (const finding of findings) {
    if (profile && finding.profile !== profile) continue;
    const key = JSON.stringify([finding.rule, finding.severity, finding.message]);
    const group = groups.get(key) ?? { ...finding, facts: new Map(), helps: new Map(), profiles: new Set() };
    const facts = [];
    if (finding.measured) facts.push(`measured ${finding.measured}`);
    if (finding.limit) facts.push(`limit ${finding.limit}`);
    const words = facts.join(', ');
    if (words) group.facts.set(words, [...(group.facts.get(words) ?? []), finding]);
    // What needs no encoding for one profile is told.
    if (!group.repair || group.repair === 'unsafe') group.repair = finding.repair ?? group.repair;
    // Where artworkd repair fixes it, the command of the card is the advice.
    if (!finding.command?.startsWith('artworkd repair ')) group.helps.set(finding.help, (group.helps.get(finding.help) ?? new Set()).add(finding.command));
    group.profiles.add(finding.profile);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => severities[a.severity] - severities[b.severity]);
}

function verdictOf(candidate, profile) {
  if (candidate.result.error) return 'error';
  let worst = 2;
  for (const finding of candidate.result.findings) {
    if (!profile || finding.profile === profile) worst = Math.min(worst, severities[finding.severity]);
  }
  return ['fail', 'warn', 'pass'][worst];
}

function badge(verdict) {
  return make('span', `badge ${verdict}`, `${marks[verdict]} ${verdict}`);
}

/// Text with `code` and **strong**; links become plain text, because their targets are not part of the page.
function words(tag, text) {
  const line = make(tag);
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split('`').forEach((piece, place) => {
    if (place % 2 === 1) return line.append(make('code', '', piece));
    piece.split('**').forEach((word, turn) => line.append(turn % 2 === 1 ? make('strong', '', word) : word));
  });
  return line;
}

function table(rows) {
  const box = make('table');
  for (const [index, row] of rows.filter((line) => !/^[|\s:-]+$/.test(line)).entries()) {
    const line = make('tr');
    for (const cell of row.split('|').slice(1, -1)) line.append(words(index === 0 ? 'th' : 'td', cell.trim()));
    box.append(line);
  }
  return box;
}

/// The Markdown in the texts of the rules: paragraphs, tables, lists, fenced code.
function prose(text) {
  const box = make('div', 'prose');
  text.split('```').forEach((part, index) => {
    if (index % 2 === 1) return box.append(make('pre', '', part.replace(/^[a-z]*\n/, '').trimEnd()));
    for (const paragraph of part.split(/\n\s*\n/)) {
      const lines = paragraph.trim().split('\n');
      if (lines[0] === '') continue;
      if (lines.every((line) => line.startsWith('|'))) {
        box.append(table(lines));
      } else if (lines[0].startsWith('- ')) {
        const list = make('ul');
        for (const item of paragraph.trim().slice(2).split(/\n- /)) list.append(words('li', item));
        box.append(list);
      } else {
        box.append(words('p', paragraph.trim()));
      }
    }
  });
  return box;
}

/// Text with the parts in backquotes as code.
function withCode(tag, className, text) {
  const line = make(tag, className);
  printable(text).split('`').forEach((piece, place) => line.append(place % 2 === 1 ? make('code', '', piece) : piece));
  return line;
}

/// What a terminal would act on, or what got lost because it is no text.
const unsafeToPaste = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/u;

/// Puts text on the clipboard, also where a page may not use the clipboard's own interface.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make('textarea', 'unseen');
    field.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    const before = document.activeElement;
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    before?.focus?.();
    return isCopied;
  }
}

/// Several commands are one a line.
function canBePasted(command) {
  return command.split('\n').every((line) => line.startsWith('artworkd ') && !unsafeToPaste.test(line)) || !unsafeToPaste.test(command);
}

/// A command with a button that copies it.
///
/// - shown: what stands for a long one.
/// - isSafe: whether it may be pasted; a name with a line break would be another command.
function commandLine(command, shown = command, isSafe = canBePasted(command)) {
  const line = make('div', 'command');
  line.append(make('code', '', printable(shown)));
  if (!isSafe) return line;
  const button = make('button', 'copy', 'Copy');
  button.type = 'button';
  button.setAttribute('aria-label', `Copy the command ${shown}`);
  let waiting = 0;
  button.addEventListener('click', async () => {
    const isCopied = await copyText(command);
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl-C';
    if (!isCopied) getSelection().selectAllChildren(line.firstChild);
    announce(isCopied ? 'Copied' : 'The browser refuses to copy. The command is selected: press Ctrl-C.');
    clearTimeout(waiting);
    waiting = setTimeout(() => { button.textContent = 'Copy'; }, 2500);
  });
  line.append(button);
  return line;
}

/// Says something to those who do not see the page.
function announce(text) {
  document.getElementById('said').textContent = text;
}

/// - shared: the data, the profile, and the rules that are already explained on this card.
function findingItem(group, { data, profile, explained, cardCommand }, isKnown) {
  const item = make('li', `finding ${group.severity}`);
  const head = make('p', 'said');
  head.append(make('span', 'severity', isKnown ? `known ${group.severity}, not counted` : group.severity));
  head.append(make('span', 'message', printable(group.message)), ' ', make('code', 'rule', group.rule), ' ');
  if (group.repair && !isKnown) {
    const isSafe = group.repair !== 'unsafe';
    const mark = make('span', isSafe ? 'mendable' : 'mendable by-encoding', isSafe ? 'can be repaired' : 'can be repaired by encoding');
    mark.title = isSafe
      ? 'artworkd repair fixes it without encoding'
      : 'artworkd repair --unsafe encodes the video again';
    head.append(mark, ' ');
  }
  if (data.profiles.length > 1 && !profile) {
    for (const name of group.profiles ?? []) head.append(' ', make('span', 'for', name));
  }
  item.append(head);
  for (const [facts, findings] of group.facts ?? []) {
    const names = findings.flatMap((finding) => [finding.key, data.profiles.length > 1 && finding.profile]).filter(Boolean);
    const whose = group.facts.size > 1 && names.length ? ` (${[...new Set(names)].join(', ')})` : '';
    item.append(make('p', 'measured', printable(facts + whose)));
  }
  for (const [help, commands] of group.helps) {
    item.append(withCode('p', 'help', help));
    for (const command of commands) if (command && !isKnown && command !== cardCommand) item.append(commandLine(command));
  }
  const rule = data.rules[group.rule];
  if (rule && !explained.has(group.rule)) {
    explained.add(group.rule);
    const more = make('details', 'why');
    more.append(make('summary', '', 'About this rule'), prose(rule.meaning), prose(rule.why));
    more.append(make('p', 'lead', 'How to fix it'), prose(rule.fix));
    item.append(more);
  }
  return item;
}

function bytesText(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let power = 0;
  while (bytes >= 999.5 && power < 4) [bytes, power] = [bytes / 1000, power + 1];
  return `${bytes >= 100 || power === 0 ? Math.round(bytes) : decimal(bytes, 1)} ${units[power]}`;
}

function factRows(candidate) {
  const { facts, artworkID, preview } = candidate.result;
  const rows = [];
  // The heading of a release says it.
  if (artworkID !== undefined && candidate.release === undefined) rows.push(['artwork ID', printable(artworkID), 'id']);
  if (facts) {
    const rate = facts.frameRate === undefined ? 'no frame rate' : `${decimal(facts.frameRate, 3)} fps`;
    const color = [facts.color.primaries, facts.color.transfer, facts.color.matrix].filter(Boolean);
    rows.push(
      ['size', `${facts.displayWidth}x${facts.displayHeight}`], ['duration', `${decimal(facts.durationSeconds, 2)} s`],
      ['frame rate', facts.frameRateMode === 'variable' ? `${rate}, variable` : rate], ['frames', String(facts.frameCount)],
      ['file', `${bytesText(facts.fileBytes)} ${facts.container}`],
      ['codec', printable([facts.codec, facts.profile, facts.codecTag].filter(Boolean).join(' '))],
      ['pixel format', printable(facts.pixelFormat)], ['colour', printable([...new Set(color)].join(', ') || 'not specified')],
      ['audio', facts.hasAudio ? 'yes' : 'none']);
  }
  if (preview !== undefined) rows.push(['preview', printable(preview), 'id']);
  return rows;
}

function factTable(candidate) {
  const list = make('dl', 'facts');
  for (const [name, value, className] of factRows(candidate)) {
    const row = make('div', className);
    row.append(make('dt', '', name), make('dd', '', value));
    list.append(row);
  }
  return list;
}

/// A picture that is loaded when it comes near the window.
///
/// - aspect: width over height, if it is known in advance, so that nothing moves when the picture is loaded.
function picture(source, className, description, aspect) {
  const image = make('img', className);
  if (aspect) {
    image.style.aspectRatio = `auto ${aspect}`;
    image.style.width = `${pictureHeight * aspect}px`;
  }
  image.alt = description;
  image.decoding = 'async';
  image.lazySource = source;
  return image;
}

function stripFigure(candidate) {
  const { strip, framesBeforeSeam } = candidate.reportImages;
  const figure = make('figure', 'strip');
  const frame = make('div', 'frames');
  const aspect = candidate.result.facts?.displayAspect ?? 1;
  const image = picture(strip, '', `the last ${framesBeforeSeam} frames, then the first ones`, 2 * framesBeforeSeam * aspect);
  const seam = make('span', 'seam-mark');
  image.addEventListener('load', () => {
    const count = Math.max(framesBeforeSeam + 1, Math.round(image.naturalWidth / (image.naturalHeight * aspect)));
    seam.style.left = `${(framesBeforeSeam / count) * 100}%`;
    seam.classList.add('placed');
  });
  frame.append(image, seam);
  const caption = make('figcaption', '', 'last frames');
  caption.append(make('span', 'seam-text', 'loop point'), make('span', '', 'first frames'));
  figure.append(frame, caption);
  return figure;
}

/// The part that would become the missing shape.
function cropFigure(candidate) {
  const figure = make('figure', 'crop');
  figure.append(
    picture(candidate.reportImages.crop, '', 'frames with the crop marked, and the crop of each alone'),
    make('figcaption', '', 'the crop that derive chooses; --focus X,Y chooses another'));
  return figure;
}

/// A picture with a line below it.
///
/// - aspect: width over height.
function shot(className, aspect) {
  const figure = make('figure', `shot ${className}`);
  const screen = make('div', 'screen');
  screen.style.setProperty('--aspect', aspect);
  figure.append(screen);
  return { figure, screen };
}

/// The looping video over its first frame. Sets `candidate.player`.
function videoShot(candidate) {
  const { facts } = candidate.result;
  const { figure, screen } = shot('clip', facts?.displayAspect ?? 1);
  if (!facts) {
    screen.append(make('p', 'nothing', 'no picture'));
    return figure;
  }
  const name = printable(candidate.result.path);
  if (candidate.reportImages?.preview) screen.append(picture(candidate.reportImages.preview, 'preview', `first frame of ${name}`));
  const video = make('video');
  video.muted = video.loop = video.playsInline = true;
  video.disablePictureInPicture = true;
  video.preload = 'metadata';
  video.setAttribute('aria-label', `${name}, as it loops`);
  const button = make('button', 'play', 'Play');
  button.type = 'button';
  button.setAttribute('aria-label', `Play ${name}`);
  const missing = make('p', 'missing');
  missing.hidden = true;
  const label = () => {
    button.textContent = video.paused ? 'Play' : 'Pause';
    button.setAttribute('aria-label', `${button.textContent} ${name}`);
    if (!video.paused) screen.classList.add('moving');
  };
  video.addEventListener('play', label);
  video.addEventListener('pause', label);
  video.addEventListener('error', () => {
    if (!video.hasAttribute('src')) return;
    missing.textContent = shortly(candidate);
    missing.title = whyNotPlayed(candidate);
    missing.hidden = false;
    button.hidden = true;
    video.hidden = true;
  });
  video.addEventListener('click', () => button.click());
  screen.append(video, missing, button);
  candidate.player = { element: video, button };
  return figure;
}

/// The codecs that some browser plays.
const playable = new Set(['h264', 'hevc', 'av1', 'vp8', 'vp9', 'mpeg4', 'theora']);

/// Codecs that some browsers play and others do not, with a string that asks for them.
const asked = { hevc: ['HEVC', 'video/mp4; codecs="hvc1.1.6.L93.B0"'], av1: ['AV1', 'video/mp4; codecs="av01.0.04M.08"'], prores: ['ProRes'] };

/// Why there is only the poster, in a few words.
function shortly(candidate) {
  const { codec } = candidate.result.facts;
  const [name, type] = asked[codec] ?? [printable(codec)];
  const plays = playable.has(codec) && (!type || make('video').canPlayType(type) !== '');
  return plays && !candidate.embedded ? 'not found here' : `${name}: not in this browser`;
}

function whyNotPlayed(candidate) {
  const codec = printable(candidate.result.facts.codec);
  if (!playable.has(codec)) return `browsers do not play this codec (${codec})`;
  const cannot = `this browser cannot play it (${codec})`;
  return candidate.embedded ? cannot : `the video was not found at ${printable(candidate.result.path)}, or ${cannot}`;
}

function coverShot(cover) {
  const { figure, screen } = shot('still', 1);
  const image = picture(cover.embedded ?? cover.address, 'preview', `cover ${printable(cover.path)}`);
  image.addEventListener('load', () => screen.style.setProperty('--aspect', image.naturalWidth / image.naturalHeight));
  image.addEventListener('error', () => {
    image.hidden = true;
    screen.append(make('p', 'nothing', `the cover was not found at ${printable(cover.path)}`));
  });
  screen.append(image);
  figure.append(make('figcaption', '', 'cover'));
  return figure;
}

/// What the page knows about the loop point: the verdict, the frames beside it, and the changes from frame to frame.
///
/// - watch: opens the seam player.
function evidence(candidate, watch) {
  const { reportImages, result } = candidate;
  const { seam } = result;
  const box = make('div', `evidence ${loops[seam?.verdict] ?? 'fail'}`);
  if (seam) {
    const line = make('p', 'seam-line', 'Loop: ');
    line.append(make('span', 'loop', seam.verdict));
    // Unless a finding says the same.
    if (!result.findings.some((finding) => finding.message === seam.sentence)) line.append(`, ${printable(seam.sentence)}`);
    const button = make('button', 'watch', 'Watch the loop point');
    button.type = 'button';
    button.setAttribute('aria-label', `Watch the loop point of ${printable(result.path)}`);
    button.addEventListener('click', watch);
    line.append(' ', button);
    box.append(line);
  }
  const figures = make('div', 'figures');
  if (reportImages?.strip) {
    const strip = stripFigure(candidate);
    strip.addEventListener('click', watch);
    figures.append(strip);
  }
  const beside = make('div', 'figures');
  if (reportImages?.heatMap) {
    const heat = make('figure', 'heat');
    const aspect = result.facts?.displayAspect ?? 1;
    heat.append(
      picture(reportImages.heatMap, '', 'where the last and the first frame differ; bright is more', aspect),
      make('figcaption', '', 'where they differ'));
    beside.append(heat);
  }
  if (reportImages?.steps.length) beside.append(stepCurve(candidate));
  const shown = [figures, beside].filter((row) => row.hasChildNodes());
  if (shown.length === 0) return box;
  // What passes needs no room.
  const counts = result.findings.some(({ rule, severity }) => ['loop-seam', 'fade', 'loop-gap'].includes(rule) && severity !== 'info');
  if (counts) return box.append(...shown), box;
  const fold = make('details', 'fold');
  fold.append(make('summary', '', 'Frames at the loop point'), ...shown);
  box.append(fold);
  return box;
}

/// The findings of some candidates: what could not be read, what was found, and what was known before.
///
/// - rules: whether findings of a rule belong here.
function findingItems(candidates, profile, data, rules) {
  const shared = { data, profile, explained: new Set(), cardCommand: candidates[0]?.card?.command };
  const items = [];
  for (const { result: { error, errorIsKnown } } of candidates) {
    if (!error || !rules(error.code)) continue;
    const group = { severity: 'error', rule: error.code, message: error.message, helps: new Map([[error.help, []]]) };
    items.push(findingItem(group, shared, errorIsKnown));
  }
  for (const kind of ['findings', 'known']) {
    const findings = candidates.flatMap(({ result }) => (result[kind] ?? []).map((finding) => ({ ...finding, key: candidates.length > 1 ? result.key : undefined })))
      .filter((finding) => rules(finding.rule));
    for (const group of grouped(findings, profile)) {
      const item = findingItem(group, shared, kind === 'known');
      const drawn = group.rule === 'pair' && candidates.find(({ reportImages }) => reportImages?.crop);
      if (drawn && kind === 'findings') item.append(cropFigure(drawn));
      items.push(item);
    }
  }
  return items;
}
