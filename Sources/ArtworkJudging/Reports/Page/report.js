const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
let paused = calm.matches;

// Only videos near the window have a source and play.

function loadPictures(card) {
  for (const image of card.querySelectorAll('img')) {
    if (image.lazySource && !image.src) image.src = image.lazySource;
  }
}

function play(video) {
  // If the browser refuses, the video stays paused with its button.
  video.element.play().catch(() => {});
}

/// What plays on a card: its videos, and those that they were made of.
function playersOf(card) {
  return card.members.flatMap((member) => [member, member.before]).filter((candidate) => candidate?.player);
}

function comeNear(card) {
  if (!card.element) return;
  card.build();
  loadPictures(card.element);
  for (const candidate of playersOf(card)) {
    const video = candidate.player;
    connect(video);
    if (!video.element.hasAttribute('src')) video.element.src = candidate.embedded ?? candidate.video;
    if (!(video.isPaused ?? paused)) play(video);
  }
}

function goAway(card) {
  for (const { player: video } of playersOf(card)) {
    if (!video.element.hasAttribute('src')) continue;
    video.element.pause();
    video.element.removeAttribute('src');
    video.element.load();
    video.element.parentElement.classList.remove('moving');
  }
}

const near = new IntersectionObserver((entries) => {
  for (const { target: { card }, isIntersecting } of entries) {
    card.isNear = isIntersecting;
    if (isIntersecting) comeNear(card); else goAway(card);
  }
}, { rootMargin: '400px 0px' });

/// The element of a card, as one of many.
function raiseCard(card) {
  const shown = card.raise();
  shown.classList.toggle('current', card === state.current);
  if (views.cards.isWhole) card.build();
  near.observe(shown);
  return shown;
}

function dropCard(card) {
  if (!card.element) return;
  near.unobserve(card.element);
  goAway(card);
  card.isNear = false;
  card.drop();
}

function connect(video) {
  if (video.isConnected) return;
  video.isConnected = true;
  video.button.addEventListener('click', () => {
    video.isPaused = !video.element.paused;
    if (video.isPaused) video.element.pause(); else play(video);
  });
}

function setPaused(now) {
  paused = now;
  element('motion').textContent = paused ? 'Play videos' : 'Pause videos';
  for (const card of cards) {
    for (const { player: video } of playersOf(card)) {
      video.isPaused = undefined;
      if (!video.element.hasAttribute('src')) continue;
      if (paused) video.element.pause(); else if (card.isNear) play(video);
    }
  }
  pauseCovers();
}

// The parts around the cards.

function option(value, text) {
  const choice = make('option', '', text);
  choice.value = value;
  return choice;
}

function buildTools() {
  for (const [need, { title, about }] of [['ready', needs.ready], ...Object.entries(needs)].slice(0, -1)) {
    if (need === 'look' && !cards.some((card) => card.members.some(({ doubts }) => doubts.length))) continue;
    const button = make('button', need);
    button.type = 'button';
    button.dataset.need = need;
    button.title = about;
    button.append(make('b', '', '0'), ` ${title}`);
    button.addEventListener('click', () => change({ needs: state.needs.symmetricDifference(new Set([need])) }));
    element('needs').append(button);
  }
  for (const [view, name] of Object.entries(viewNames)) {
    const button = make('button', '', name);
    button.type = 'button';
    button.dataset.view = view;
    button.addEventListener('click', () => turnTo(view));
    element('views').append(button);
  }
  const rules = new Map();
  for (const candidate of data.candidates) {
    for (const rule of candidate.rules) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  }
  element('rule').append(option('', 'all rules'));
  for (const [rule, count] of [...rules].sort()) element('rule').append(option(rule, `${rule} (${count})`));
  element('rule').addEventListener('change', (event) => change({ rule: event.target.value }));
  element('profile-label').hidden = data.profiles.length < 2;
  element('profile').append(option('', 'all profiles'), ...data.profiles.map(({ name, title }) => option(name, title)));
  element('profile').addEventListener('change', (event) => change({ profile: event.target.value }));
  element('sort').addEventListener('change', (event) => change({ sort: event.target.value, down: false }));
  let waiting = 0;
  element('search').addEventListener('input', (event) => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => change({ search: event.target.value }));
  });
  document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
}

/// The folders that all candidates share, with the last slash.
function sharedFolder() {
  const folders = data.candidates.map(({ result }) => result.path.split('/').slice(0, -1));
  let count = Math.min(...folders.map((parts) => parts.length));
  while (folders.some((parts) => parts.slice(0, count).join('/') !== folders[0].slice(0, count).join('/'))) count -= 1;
  return folders[0].slice(0, count).map((part) => `${part}/`).join('');
}

function buildMatrix() {
  // Of more, the table of the candidates has these columns.
  if (data.profiles.length < 2 || data.candidates.length === 0 || data.candidates.length > mostRows) return;
  const matrix = element('matrix');
  matrix.hidden = false;
  const fill = () => {
    if (matrix.open && !matrix.querySelector('tbody')) fillMatrix();
  };
  matrix.addEventListener('toggle', fill);
  matrix.open = data.candidates.length <= 40;
  fill();
}

function fillMatrix() {
  const heading = make('tr');
  const corner = make('th', '', 'candidate');
  corner.scope = 'col';
  heading.append(corner);
  for (const profile of data.profiles) {
    const cell = make('th', '', profile.name);
    cell.scope = 'col';
    cell.title = profile.title;
    heading.append(cell);
  }
  const head = make('thead');
  head.append(heading);
  const shared = sharedFolder().length;
  for (const candidate of data.candidates) {
    const link = make('a', '', printable(candidate.result.path.slice(shared)));
    link.title = printable(candidate.result.path);
    leadTo(link, candidate);
    const name = make('th');
    name.scope = 'row';
    name.append(link);
    candidate.row = make('tr');
    candidate.row.append(name, ...data.profiles.map(({ name: profile }) => matrixCell(candidate, profile)));
  }
  const body = make('tbody');
  body.append(...cards.flatMap((card) => card.members.map((candidate) => candidate.row)));
  element('matrix').querySelector('table').append(head, body);
  apply();
}

/// A link to a candidate that keeps the filters where it is followed on this page.
function leadTo(link, candidate) {
  link.href = addressOf(candidate);
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(candidate.card, candidate);
  });
}

function matrixCell(candidate, profile) {
  if (!(profile in (candidate.result.destinations ?? {}))) return make('td', 'none', '–');
  const verdict = verdictOf(candidate, profile);
  const serious = grouped(candidate.result.findings, profile).filter((group) => group.severity !== 'info');
  const rules = candidate.result.error ? [candidate.result.error.code] : [...new Set(serious.map((group) => group.rule))];
  const cell = make('td');
  const link = make('a', verdict, marks[verdict]);
  leadTo(link, candidate);
  if (rules.length) link.append(` ${rules[0]}`);
  if (rules.length > 1) link.append(make('span', 'more', ` +${rules.length - 1}`));
  link.title = rules.length ? rules.join(', ') : verdict;
  if (!rules.length) link.setAttribute('aria-label', verdict);
  cell.append(link);
  return cell;
}

function describe() {
  const { summary, profiles } = data;
  const names = profiles.map((profile) => profile.title).join(', ');
  const parts = [`${summary.total} file${summary.total === 1 ? '' : 's'} checked in ${decimal(summary.seconds, 2)} s`, `artworkd ${printable(data.toolVersion)}`];
  if (names) parts.splice(1, 0, `for ${printable(names)}`);
  element('about').textContent = parts.join(' · ');
  let known = 0;
  for (const { result } of data.candidates) known += (result.known?.length ?? 0) + (result.errorIsKnown ? 1 : 0);
  const said = [];
  if (known) said.push(`${known} known finding${known === 1 ? '' : 's'} from the baseline: shown, but not counted.`);
  if (data.candidates.some(({ result }) => result.findings.some((finding) => finding.command))) said.push('Commands start in the folder where artworkd check ran. They write new files and leave the video as it is.');
  const left = data.candidates.filter(({ reportImages, result }) => result.facts && !reportImages).length;
  if (left) said.push(`${left} candidate${left === 1 ? ' has' : 's have'} no pictures here, which keeps the page small; --pictures beside has all as files.`);
  element('end').textContent = said.join(' ');
}

/// How many releases are ready, as a sentence and as a bar.
function showHeadline() {
  const count = (need) => cards.filter((card) => card.need === need).length;
  const [ready, total] = [count('ready'), cards.length];
  const sentence = `${ready} of ${total} release${total === 1 ? '' : 's'} ${ready === 1 || total === 1 ? 'is' : 'are'} ready`;
  element('headline').textContent = total === 0 ? 'No releases' : sentence;
  document.title = `Animated artwork: ${ready} of ${total} ready`;
  element('bar').replaceChildren(...['ready', 'look', 'same', 'changes', 'you'].filter(count).map((need) => {
    const part = make('span', need);
    part.style.flexGrow = count(need);
    part.title = `${count(need)}: ${needs[need].title}`;
    return part;
  }));
}

/// Remembers the choice if the browser allows it.
function buildTheme() {
  const themes = ['system', 'light', 'dark'];
  const remember = (value) => {
    try {
      return value ? localStorage.setItem('artworkd-theme', value) : localStorage.getItem('artworkd-theme');
    } catch {
      return null;
    }
  };
  const choose = (theme) => {
    document.documentElement.dataset.theme = theme;
    element('theme').textContent = `Theme: ${theme}`;
  };
  choose(themes.includes(remember()) ? remember() : 'system');
  element('theme').addEventListener('click', () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
    choose(next);
    remember(next);
  });
}

data.candidates.forEach((candidate, place) => {
  candidate.place = place;
  const { result } = candidate;
  const ids = [...result.findings, ...(result.known ?? [])].map((finding) => finding.rule);
  const words = [result.path, result.artworkID, result.key, result.error?.code, result.facts?.codec, result.seam?.verdict, ...ids];
  candidate.text = words.filter(Boolean).join('\n').toLowerCase();
  judge(candidate);
});
describe();
buildTheme();
buildTools();
readAddress();
buildReview();
buildMatrix();
setPaused(paused);
element('motion').addEventListener('click', () => setPaused(!paused));
element('keys').addEventListener('click', () => element('help').showModal());
element('help-close').addEventListener('click', () => element('help').close());
calm.addEventListener('change', () => setPaused(calm.matches));
window.addEventListener('hashchange', readAddress);
window.addEventListener('beforeprint', () => {
  views[state.view].raiseAll();
  for (const card of cards) if (card.element) { card.build(); loadPictures(card.element); }
});
window.addEventListener('resize', () => { if (state.view === 'grid' && gridColumns() !== state.gridColumns) apply(); });
