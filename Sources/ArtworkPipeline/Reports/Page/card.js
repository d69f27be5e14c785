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
    const group = groups.get(key) ?? { ...finding, facts: new Map(), helps: new Set(), profiles: new Set() };
    const facts = [];
    if (finding.measured) facts.push(`measured ${finding.measured}`);
    if (finding.limit) facts.push(`limit ${finding.limit}`);
    const words = facts.join(', ');
    if (words) group.facts.set(words, [...(group.facts.get(words) ?? []), finding.profile]);
    group.helps.add(finding.help);
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

/// - shared: the data, the profile, and the rules that are already explained on this card.
function findingItem(group, { data, profile, explained }, isKnown) {
  const item = make('li', `finding ${group.severity}`);
  const head = make('p', 'said');
  head.append(make('span', 'severity', isKnown ? `known ${group.severity}` : group.severity));
  head.append(make('code', 'rule', group.rule), ' ', printable(group.message));
  if (data.profiles.length > 1 && !profile) {
    for (const name of group.profiles ?? []) head.append(' ', make('span', 'for', name));
  }
  item.append(head);
  for (const [facts, names] of group.facts ?? []) {
    const whose = group.facts.size > 1 ? ` (${names.join(', ')})` : '';
    item.append(make('p', 'measured', printable(facts + whose)));
  }
  for (const help of group.helps) item.append(withCode('p', 'help', help));
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
  if (artworkID !== undefined) rows.push(['artwork ID', printable(artworkID), 'id']);
  if (facts) {
    const rate = facts.frameRate === undefined ? 'no frame rate' : `${decimal(facts.frameRate, 3)} fps`;
    const color = [facts.color.primaries, facts.color.transfer, facts.color.matrix].filter(Boolean);
    rows.push(
      ['size', `${facts.displayWidth}x${facts.displayHeight}`], ['length', `${decimal(facts.durationSeconds, 2)} s`],
      ['rate', facts.frameRateMode === 'variable' ? `${rate}, variable` : rate], ['frames', String(facts.frameCount)],
      ['file', `${bytesText(facts.fileBytes)} ${facts.container}`],
      ['codec', printable([facts.codec, facts.profile, facts.codecTag].filter(Boolean).join(' '))],
      ['pixels', printable(facts.pixelFormat)], ['colour', printable([...new Set(color)].join(', ') || 'not specified')],
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
  const { strip, framesBeforeSeam } = candidate.exhibit;
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
  caption.append(make('span', 'seam-text', 'seam'), make('span', '', 'first frames'));
  figure.append(frame, caption);
  return figure;
}

function stage(candidate) {
  const { facts } = candidate.result;
  const box = make('div', 'stage');
  const screen = make('div', 'screen');
  box.append(screen);
  if (!facts) {
    screen.append(make('p', 'nothing', 'no picture'));
    return box;
  }
  screen.style.aspectRatio = `${facts.displayWidth} / ${facts.displayHeight}`;
  const name = printable(candidate.result.path);
  if (candidate.exhibit?.preview) screen.append(picture(candidate.exhibit.preview, 'preview', `first frame of ${name}`));
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
    const cannot = `this browser cannot play it (${printable(facts.codec)})`;
    missing.textContent = candidate.embedded ? cannot : `the video was not found at ${name}, or ${cannot}`;
    missing.hidden = false;
    button.hidden = true;
    video.hidden = true;
  });
  video.addEventListener('click', () => button.click());
  screen.append(video, missing, button);
  candidate.video = { element: video, button, source: candidate.embedded ?? candidate.video };
  return box;
}

function evidence(candidate) {
  const { exhibit, result } = candidate;
  const { seam } = result;
  const box = make('div', `evidence ${loops[seam?.verdict] ?? 'fail'}`);
  if (seam) {
    const line = make('p', 'seam-line', 'loop: ');
    line.append(make('span', 'loop', seam.verdict));
    // Unless a finding says the same.
    if (!result.findings.some((finding) => finding.message === seam.sentence)) line.append(`, ${printable(seam.sentence)}`);
    box.append(line);
  }
  const figures = make('div', 'figures');
  if (exhibit?.strip) figures.append(stripFigure(candidate));
  if (exhibit?.heatMap) {
    const heat = make('figure', 'heat');
    const aspect = result.facts?.displayAspect ?? 1;
    heat.append(picture(exhibit.heatMap, '', 'where the last and the first frame differ', aspect), make('figcaption', '', 'last and first frame: difference'));
    figures.append(heat);
  }
  if (exhibit?.steps.length) figures.append(stepCurve(candidate));
  if (figures.hasChildNodes()) box.append(figures);
  return box;
}

/// Everything about one candidate. `show` fills in the parts that depend on the profile.
function makeCard(candidate, index, data) {
  const card = make('article', 'card');
  card.id = `c${index}`;
  card.tabIndex = -1;
  const head = make('header', 'head');
  const title = make('h2');
  title.id = `t${index}`;
  card.setAttribute('aria-labelledby', title.id);
  title.append(make('span', 'folder', `${printable(candidate.folder)}/`), make('bdi', 'name', printable(candidate.name)));
  const verdict = make('span', 'verdict');
  head.append(verdict, title);
  if (candidate.result.key) head.append(make('span', 'key', candidate.result.key));
  const list = make('ul', 'findings');
  const body = make('div', 'body');
  body.append(head, evidence(candidate), list, factTable(candidate));
  card.append(stage(candidate), body);
  candidate.card = card;
  candidate.show = (profile) => {
    const now = verdictOf(candidate, profile);
    card.className = `card ${now}`;
    verdict.replaceChildren(badge(now));
    const { error, errorIsKnown, findings, known } = candidate.result;
    const items = [];
    const shared = { data, profile, explained: new Set() };
    if (error) {
      const group = { severity: 'error', rule: error.code, message: error.message, helps: [error.help] };
      items.push(findingItem(group, shared, errorIsKnown));
    }
    for (const group of grouped(findings, profile)) items.push(findingItem(group, shared, false));
    for (const group of grouped(known ?? [], profile)) items.push(findingItem(group, shared, true));
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
  };
  return card;
}
