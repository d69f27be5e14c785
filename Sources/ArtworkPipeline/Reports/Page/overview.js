// The overview: a grid of covers in motion, and a table that sorts by its columns.

/// So many covers move at once; the others in sight follow when one of these leaves.
const mostMoving = 16;

/// Which of the members a tile shows: the square one, or the first.
function face(card) {
  return card.members.find(({ result }) => result.key === '1x1' && result.facts) ?? card.members.find(({ result }) => result.facts) ?? card.members[0];
}

/// What stands against a card, worst first.
function seriousRules(members, profile) {
  const rules = new Map();
  for (const { result } of members) {
    if (result.error) rules.set(result.error.code, 0);
    for (const finding of result.findings) {
      if (profile && finding.profile !== profile || finding.severity === 'info') continue;
      rules.set(finding.rule, Math.min(rules.get(finding.rule) ?? 2, severities[finding.severity]));
    }
  }
  return [...rules].sort((a, b) => a[1] - b[1]).map(([rule]) => rule);
}

/// A cover that leads to its card.
function makeTile(card) {
  const candidate = face(card);
  const { facts } = candidate.result;
  const tile = make('a', `tile ${card.verdict}`);
  // Names of single files repeat from folder to folder.
  const home = candidate.folder.split('/').at(-1);
  const name = printable(card.release?.artworkID ?? (home && home !== '.' ? `${home}/${candidate.name}` : candidate.name));
  const rules = seriousRules(card.members, state.profile);
  leadTo(tile, candidate);
  tile.setAttribute('aria-label', `${name}: ${card.verdict}${rules.length ? `, ${rules.join(', ')}` : ''}`);
  tile.title = printable(candidate.result.path);
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
  line.append(make('span', `mark ${card.verdict}`, marks[card.verdict]), make('bdi', 'name', name));
  tile.append(screen, line);
  if (rules.length) tile.append(make('span', 'rules', rules.length > 1 ? `${rules[0]} +${rules.length - 1}` : rules[0]));
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

/// Name, what it sorts by, and the text of a cell. `up` is for columns that start with the least.
const columns = [
  ['', 'worst'], ['name', 'path'], ['key'], ['pixels', 'pixels'], ['fps', 'rate'], ['seconds', 'duration'], ['file', 'size'],
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

function makeRow(candidate) {
  const { facts, key, seam } = candidate.result;
  const row = make('tr', candidate.verdict);
  const mark = make('td', `mark ${candidate.verdict}`, marks[candidate.verdict]);
  mark.title = candidate.verdict;
  mark.setAttribute('aria-label', candidate.verdict);
  const link = make('a', '', printable(candidate.result.path));
  leadTo(link, candidate);
  const name = make('th');
  name.scope = 'row';
  name.append(link);
  const words = facts
    ? [key ?? '', `${facts.displayWidth}x${facts.displayHeight}`, facts.frameRate === undefined ? '' : decimal(facts.frameRate, 3),
      decimal(facts.durationSeconds, 2), bytesText(facts.fileBytes), printable(facts.codec), seam?.verdict ?? '']
    : [key ?? '', '', '', '', '', '', ''];
  row.append(mark, name, ...words.map((text) => make('td', '', text)));
  row.append(make('td', 'rules', printable(seriousRules([candidate], state.profile).join(', '))));
  if (data.profiles.length > 1) row.append(...data.profiles.map(({ name: profile }) => matrixCell(candidate, profile)));
  return row;
}

// The command for all that is shown.

const safeWord = /^[A-Za-z0-9_./:=@%+,-]+$/;
/// Paths up to so many stand in the command; more are a list on its standard input.
const mostWords = 8;

function startedPath(path) { return /^(\/|\.\.?\/)/.test(path) ? path : `./${path}`; }

function shellWord(text) { return safeWord.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`; }

/// One command for each set of options; mostly one.
function selectionCommands(candidates) {
  const sets = new Map();
  let skipped = 0;
  for (const candidate of candidates) {
    if (!candidate.options || !candidate.fixes.some((fix) => fix === 'copy' || fix === 'encode')) continue;
    if (unsafeToPaste.test(candidate.result.path)) { skipped += 1; continue; }
    const others = candidate.options.filter((option) => option !== '--unsafe').join(' ');
    const set = sets.get(others) ?? { paths: [], isUnsafe: false, others };
    set.paths.push(startedPath(candidate.result.path));
    if (candidate.options.includes('--unsafe')) set.isUnsafe = true;
    sets.set(others, set);
  }
  const commands = [...sets.values()].map(({ paths, isUnsafe, others }) => {
    const options = ` --output-dir fixed${isUnsafe ? ' --unsafe' : ''}${others ? ` ${others}` : ''}`;
    if (paths.length <= mostWords) {
      const text = `artworkd repair ${paths.map(shellWord).join(' ')}${options}`;
      return { text, shown: text, count: paths.length };
    }
    const start = `artworkd repair -${options} <<'END'`;
    return { text: `${start}\n${paths.join('\n')}\nEND\n`, shown: `${start} … ${paths.length} paths`, count: paths.length };
  });
  return { commands, skipped };
}

function showSelection(candidates) {
  const { commands, skipped } = selectionCommands(candidates);
  const box = element('selection');
  box.hidden = commands.length === 0;
  if (box.hidden) return;
  const count = commands.reduce((sum, command) => sum + command.count, 0);
  const text = `Fixes ${count} of the ${candidates.length} videos shown, in new files${skipped ? `, without ${skipped} whose names cannot be pasted` : ''}: `;
  box.replaceChildren(make('span', '', text), ...commands.map(({ text: whole, shown }) => commandLine(whole, shown, true)));
}
