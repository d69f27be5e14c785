// The overview: a grid of covers in motion, and a table that sorts by its columns.

/// So many covers move at once; the others in sight follow when one of these leaves.
const mostMoving = 16;

/// Which of the members a tile shows: the square one, or the first.
function face(card) {
  return card.members.find(({ result }) => result.key === '1x1' && result.facts) ?? card.members.find(({ result }) => result.facts) ?? card.members[0];
}

/// What stands against some candidates, worst first, each once: its rule, and in words.
function faults(members, profile) {
  const found = new Map();
  for (const { result } of members) {
    if (result.error) found.set(result.error.code, { rule: result.error.code, text: result.error.message, rank: 0, keys: [] });
    for (const { rule, severity, message, profile: whose } of result.findings) {
      if (profile && whose !== profile || severity === 'info') continue;
      const fault = found.get(rule) ?? { rule, text: message, rank: severities[severity], keys: [] };
      fault.rank = Math.min(fault.rank, severities[severity]);
      if (result.key && !fault.keys.includes(result.key)) fault.keys.push(result.key);
      found.set(rule, fault);
    }
  }
  return [...found.values()].sort((a, b) => a.rank - b.rank);
}

/// The first clause of a sentence, for where there is little room.
function clause(text) { return text.split(/[,:;]( |$)/)[0]; }

/// Artist and title, where a name has both.
function splitName(name) {
  const [first, ...rest] = name.split(/ [-\u2013\u2014] /);
  return rest.length ? [first, rest.join(' - ')] : [name];
}

/// The name of a card for people: names of single files repeat from folder to folder.
function cardName(card) {
  const candidate = card.members[0];
  const home = candidate.folder.split('/').at(-1);
  return printable(card.release?.artworkID ?? (home && home !== '.' ? `${home}/${candidate.name}` : candidate.name));
}

/// The name in a line for the artist and one for the title.
function nameLines(card) {
  const lines = make('span', 'names');
  splitName(cardName(card)).forEach((part, place) => lines.append(make('bdi', place === 0 ? 'name' : 'title', part)));
  return lines;
}

/// A cover that leads to its card.
function makeTile(card) {
  const candidate = face(card);
  const { facts } = candidate.result;
  const tile = make('a', `tile ${card.need}`);
  const name = cardName(card);
  const found = faults(card.members, state.profile);
  leadTo(tile, card.members[0]);
  tile.setAttribute('aria-label', `${name}: ${needs[card.need].title}${found.length ? `. ${found.map(({ text }) => printable(text)).join('; ')}` : ''}`);
  tile.title = `${printable(candidate.result.path)}\n${found.map(({ rule, text }) => `${rule}: ${printable(text)}`).join('\n')}`;
  const screen = make('span', 'screen');
  screen.style.setProperty('--aspect', facts?.displayAspect ?? 1);
  if (candidate.reportImages?.preview) {
    const image = make('img', 'preview');
    image.alt = '';
    image.decoding = 'async';
    image.loading = 'lazy';
    image.src = candidate.reportImages.preview;
    screen.append(image);
  } else if (!facts) {
    screen.append(make('span', 'nothing', 'no picture'));
  }
  const line = make('span', 'line');
  line.append(make('span', `mark ${card.verdict}`, marks[card.verdict]), nameLines(card));
  tile.append(screen, line);
  if (found.length) {
    const words = make('span', 'words', printable(clause(found[0].text)));
    if (found.length > 1) words.append(make('span', 'more', ` +${found.length - 1}`));
    tile.append(words);
  }
  card.tile = tile;
  tile.card = card;
  if (facts) inSight.observe(tile);
  return tile;
}

function dropTile(card) {
  if (!card.tile) return;
  inSight.unobserve(card.tile);
  rest(card.tile);
  card.tile = undefined;
}

const sighted = new Set();
const moving = new Set();
const inSight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) sighted.add(target); else rest(target);
  }
  moveCovers();
});

/// Starts as many covers in sight as may move.
function moveCovers() {
  for (const tile of sighted) {
    if (moving.size >= mostMoving) return;
    const candidate = face(tile.card);
    if (moving.has(tile) || paused && candidate.reportImages?.preview) continue;
    moving.add(tile);
    const video = make('video');
    video.muted = video.loop = video.playsInline = true;
    video.disablePictureInPicture = true;
    video.tabIndex = -1;
    video.setAttribute('aria-hidden', 'true');
    const screen = tile.querySelector('.screen');
    video.addEventListener('playing', () => screen.classList.add('moving'));
    // Without a picture, the first frame stands for it.
    video.addEventListener('loadeddata', () => { if (!candidate.reportImages?.preview) screen.classList.add('moving'); });
    video.addEventListener('error', () => video.remove());
    video.src = candidate.embedded ?? candidate.video;
    screen.append(video);
    if (!paused) video.play().catch(() => {});
  }
}

/// Takes the video of a tile away.
function rest(tile) {
  sighted.delete(tile);
  if (!moving.delete(tile)) return;
  const video = tile.querySelector('video');
  tile.querySelector('.screen').classList.remove('moving');
  if (!video) return;
  video.removeAttribute('src');
  video.load();
  video.remove();
}

function pauseCovers() {
  const seen = [...sighted];
  seen.forEach(rest);
  seen.forEach((tile) => sighted.add(tile));
  moveCovers();
}

// The table.

/// Name, and what it sorts by.
const columns = [
  ['', 'worst'], ['release', 'path'], ['pixels', 'pixels'], ['fps', 'rate'], ['seconds', 'duration'], ['file', 'size'],
  ['codec', 'codec'], ['loop', 'loop'], ['what counts', 'fix'],
];

function makeHead() {
  const row = make('tr');
  for (const [name, order] of columns) {
    const cell = make('th');
    cell.scope = 'col';
    if (order) {
      const button = make('button', 'by', name || 'verdict');
      button.type = 'button';
      button.addEventListener('click', () => change({ sort: order, down: state.sort === order && !state.down }));
      cell.append(button);
      cell.order = order;
    } else {
      cell.textContent = name;
    }
    row.append(cell);
  }
  for (const { name, title } of data.profiles.length > 1 ? data.profiles : []) {
    const cell = make('th', '', name);
    cell.scope = 'col';
    cell.title = title;
    row.append(cell);
  }
  const head = make('thead');
  head.append(row);
  return head;
}

/// Says which column sorts, and in which direction.
function markOrder(head) {
  // What is most comes first, where there is a number.
  const startsHigh = ['size', 'duration', 'rate', 'pixels'].includes(state.sort);
  for (const cell of head.querySelectorAll('th')) {
    if (cell.order === state.sort) cell.setAttribute('aria-sort', state.down === startsHigh ? 'ascending' : 'descending'); else cell.removeAttribute('aria-sort');
  }
}

/// One row for a release: what its videos share once, else one below the other.
function makeRow(card) {
  const row = make('tr', card.verdict);
  const mark = make('td', `mark ${card.verdict}`, marks[card.verdict]);
  mark.title = card.verdict;
  mark.setAttribute('aria-label', card.verdict);
  const link = make('a');
  link.append(nameLines(card));
  link.title = card.members.map(({ result }) => printable(result.path)).join('\n');
  leadTo(link, card.members[0]);
  const name = make('th');
  name.scope = 'row';
  name.append(link, make('span', 'keys', card.members.map(({ result }) => result.key).filter(Boolean).join(', ')));
  const cell = (text) => {
    const each = card.members.map(({ result }) => (result.facts ? text(result.facts, result) : ''));
    const box = make('td');
    (new Set(each).size === 1 ? each.slice(0, 1) : each).forEach((value) => box.append(make('span', 'each', value)));
    return box;
  };
  row.append(
    mark, name, cell((facts) => `${facts.displayWidth}x${facts.displayHeight}`),
    cell((facts) => (facts.frameRate === undefined ? '' : decimal(facts.frameRate, 3))), cell((facts) => decimal(facts.durationSeconds, 2)),
    cell((facts) => bytesText(facts.fileBytes)), cell((facts) => printable(facts.codec)), cell((facts, { seam }) => seam?.verdict ?? ''));
  const counts = make('td', 'counts');
  for (const { rule, text, keys } of faults(card.members, state.profile)) {
    const whose = keys.length === 1 && card.members.length > 1 ? `${keys[0]}: ` : '';
    const line = make('span', 'each', whose + printable(text));
    line.append(' ', make('code', 'rule', rule));
    counts.append(line);
  }
  row.append(counts);
  if (data.profiles.length > 1) row.append(...data.profiles.map(({ name: profile }) => cardCell(card, profile)));
  return row;
}

/// The cell of the candidate that is worst for a profile.
function cardCell(card, profile) {
  const rank = (candidate) => ranks[verdictOf(candidate, profile)];
  return matrixCell(card.members.toSorted((a, b) => rank(a) - rank(b))[0], profile);
}

// The command for all that is shown.

/// One command for each set of options; mostly one. Options that only encode do no harm to the others.
function selectionCommands(cards) {
  const sets = new Map();
  for (const { command } of cards) {
    const [, places, isUnsafe, others] = command?.match(/^artworkd repair (.*?) --in-place( --unsafe)?(.*)$/) ?? [];
    if (!places || unsafeToPaste.test(command)) continue;
    const set = sets.get(others) ?? { places: [], isUnsafe: '', others };
    set.places.push(places);
    set.isUnsafe ||= isUnsafe ?? '';
    sets.set(others, set);
  }
  return [...sets.values()].map(({ places, isUnsafe, others }) => ({ count: places.length, text: `artworkd repair ${places.join(' ')} --in-place${isUnsafe}${others}` }));
}

function showSelection(cards) {
  const commands = selectionCommands(cards);
  const box = element('selection');
  const count = commands.reduce((sum, command) => sum + command.count, 0);
  box.hidden = count < 2;
  const text = `One command for ${count} of the ${cards.length} releases shown; it keeps the originals: `;
  box.replaceChildren(make('span', '', text), ...commands.map(({ text: whole }) => commandLine(whole)));
}
