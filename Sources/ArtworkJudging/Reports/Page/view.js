const data = JSON.parse(document.getElementById('data').textContent);
const element = (id) => document.getElementById(id);
/// What is shown. The address holds what is not as it is at first, so that a view can be sent to others.
const state = { needs: new Set(), search: '', rule: '', profile: '', sort: 'fix', down: false, view: '', current: undefined, candidate: undefined, shownCards: [] };
const cards = makeCards(data);
const empty = make('p', 'empty');

// What a release needs, from the quickest remedy to none.

const needs = {
  same: { title: 'Same picture, one command', about: 'The frames stay as they are.' },
  changes: { title: 'Picture changes, one command', about: 'Encoded again: look at the result.' },
  you: { title: 'Needs you', about: 'No command fixes all of it.' },
  look: { title: 'Look at it', about: 'Nothing counts against it, but you may deny what was made.' },
  ready: { title: 'Ready', about: 'Nothing to do.' },
};
const needOrder = Object.keys(needs);

/// The most that something of these needs: a person, a command that changes the picture, one that keeps it, a look.
function needOf(remedies) {
  return ['you', 'changes', 'same', 'look'].find((need) => remedies.includes(need)) ?? 'ready';
}

function judge(candidate) {
  const { result } = candidate;
  const counts = (finding) => !state.profile || finding.profile === state.profile;
  const found = result.findings.filter(counts);
  Object.assign(candidate, {
    verdict: verdictOf(candidate, state.profile),
    errors: found.filter((finding) => finding.severity === 'error').length,
    warnings: found.filter((finding) => finding.severity === 'warning').length,
    rules: new Set(found.map((finding) => finding.rule)),
    remedies: result.findings.flatMap((finding, place) => (counts(finding) && finding.severity !== 'info' ? [candidate.needs[place]] : [])),
    bytes: result.facts?.fileBytes ?? -1, seconds: result.facts?.durationSeconds ?? -1, rate: result.facts?.frameRate ?? -1,
    pixels: (result.facts?.displayWidth ?? 0) * (result.facts?.displayHeight ?? 0),
    codec: result.facts?.codec ?? '', loop: result.seam?.verdict ?? '',
  });
  if (result.error) candidate.rules.add(result.error.code);
  candidate.rank = ranks[candidate.verdict];
  if (result.error && !result.errorIsKnown) candidate.remedies.push('you');
  if (candidate.doubts.length) candidate.remedies.push('look');
}

/// A card sorts by its most urgent candidate, and by what it takes to be done with all of them.
function judgeCard(card) {
  const most = (what) => Math.max(...card.members.map((candidate) => candidate[what]));
  card.remedies = card.members.flatMap((candidate) => candidate.remedies);
  card.need = needOf(card.remedies);
  card.isNew = Number(card.members.some(({ before }) => before));
  Object.assign(card, {
    remedy: needOrder.indexOf(card.need),
    rank: Math.min(...card.members.map((candidate) => candidate.rank)),
    errors: most('errors'), warnings: most('warnings'), bytes: most('bytes'), seconds: most('seconds'), rate: most('rate'),
    pixels: most('pixels'), codec: card.members[0].codec, loop: card.members[0].loop, place: card.members[0].place,
  });
}

const worst = (a, b) => a.rank - b.rank || b.errors - a.errors || b.warnings - a.warnings;
const byText = (what) => (a, b) => (a[what] < b[what] ? -1 : a[what] > b[what] ? 1 : 0);
const orders = {
  fix: (a, b) => a.remedy - b.remedy || b.isNew - a.isNew || a.remedies.length - b.remedies.length || worst(a, b),
  worst,
  verdict: (a, b) => b.rank - a.rank,
  path: (a, b) => a.place - b.place,
  size: (a, b) => b.bytes - a.bytes,
  duration: (a, b) => b.seconds - a.seconds,
  rate: (a, b) => b.rate - a.rate,
  pixels: (a, b) => b.pixels - a.pixels,
  codec: byText('codec'),
  loop: byText('loop'),
};

function sorted(things) {
  const turn = state.down ? -1 : 1;
  return things.toSorted((a, b) => turn * orders[state.sort](a, b) || a.place - b.place);
}

// The views.

/// Up to so many cards are all complete, for the browser's own search. Of more, only those near the window are.
const mostComplete = 50;
/// The same for tiles and rows, which are small.
const mostRows = 200;
const viewNames = { grid: 'Covers', table: 'Table', cards: 'Cards' };
const views = {
  grid: new Stretch('div', 'grid', { make: makeTile, drop: dropTile, height: 40 }),
  table: new Stretch('tbody', '', { make: makeRow, height: 46 }),
  cards: new Stretch('div', 'group', { make: raiseCard, drop: dropCard, height: 342 }),
};
/// A page that shows what was made of what.
const hasBefore = data.candidates.some(({ before }) => before);
/// Of many, an overview comes first.
const firstView = cards.length > 24 && !hasBefore ? 'grid' : 'cards';

function gridColumns() {
  const width = element('cards').clientWidth || 1200;
  return Math.max(2, Math.floor((width + 12) / 172));
}

/// Shows another view; the address goes back to this one.
function turnTo(view) {
  if (view === state.view) return;
  // Where it was until now has to be there to go back to.
  history.replaceState(null, '', address());
  state.view = view;
  history.pushState(null, '', address());
  apply();
  window.scrollTo(0, 0);
}

/// Fills the page with the cards that are shown.
function layOut(shownCards) {
  Object.values(views).forEach((view) => view.clear());
  const main = element('cards');
  main.className = state.view;
  const isWhole = shownCards.length <= (state.view === 'cards' ? mostComplete : mostRows);
  for (const button of element('views').children) button.setAttribute('aria-pressed', String(button.dataset.view === state.view));
  if (state.view === 'table') {
    const list = make('table', 'list');
    const head = makeHead();
    markOrder(head);
    list.append(head, ...views.table.fill(sorted(shownCards), 50, isWhole));
    const box = make('div', 'wide');
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', 'All releases');
    box.append(list);
    main.replaceChildren(box, empty);
    box.hidden = shownCards.length === 0;
    return;
  }
  const columns = gridColumns();
  state.gridColumns = columns;
  if (state.view === 'grid') views.grid.height = Math.ceil(265 / columns);
  views.cards.height = innerWidth < 1600 ? 342 : 171;
  const size = state.view === 'grid' ? columns * 4 : 10;
  const parts = [];
  const fill = (some) => parts.push(...views[state.view].fill(some, size, isWhole));
  const all = sorted(shownCards);
  if (state.sort === 'fix') {
    const present = (state.down ? needOrder.toReversed() : needOrder).filter((need) => all.some((card) => card.need === need));
    for (const need of present) {
      const some = all.filter((card) => card.need === need);
      const heading = make('h2', 'remedy', needs[need].title);
      heading.append(' ', make('span', 'count', some.length), make('span', 'about', needs[need].about));
      if (need !== 'ready' || present.length === 1) {
        parts.push(heading);
        fill(some);
        continue;
      }
      // What passes is out of the way.
      const fold = make('details', 'ready');
      const summary = make('summary');
      summary.append(heading);
      fold.append(summary, ...views[state.view].fill(some, size, isWhole));
      fold.open = state.isReadyOpen ?? hasBefore;
      fold.addEventListener('toggle', () => { state.isReadyOpen = fold.open; });
      parts.push(fold);
    }
  } else {
    fill(all);
  }
  main.replaceChildren(...parts, empty);
}

// Filter and sort, in one pass.

function matches(candidate, words) {
  return (!state.rule || candidate.rules.has(state.rule)) && words.every((word) => candidate.text.includes(word));
}

function apply() {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of cards) {
    const matching = card.members.filter((candidate) => matches(candidate, words));
    card.isMatch = matching.length > 0;
    card.isShown = card.isMatch && (state.needs.size === 0 || state.needs.has(card.need));
    for (const candidate of card.members) {
      candidate.isShown = card.isShown && matching.includes(candidate);
      if (candidate.row) candidate.row.hidden = !candidate.isShown;
    }
  }
  // What is not to be seen is not the current one.
  if (state.current && !state.current.isShown) [state.current, state.candidate] = [];
  for (const button of element('needs').children) {
    const { need } = button.dataset;
    button.querySelector('b').textContent = cards.filter((card) => card.isMatch && card.need === need).length;
    button.setAttribute('aria-pressed', String(state.needs.has(need)));
  }
  element('sort').value = state.sort;
  state.shownCards = cards.filter((card) => card.isShown);
  layOut(state.shownCards);
  const rows = sorted(cards).flatMap((card) => card.members.map((candidate) => candidate.row)).filter(Boolean);
  if (rows.length) element('matrix').querySelector('tbody')?.replaceChildren(...rows);
  showSelection(state.shownCards);
  empty.hidden = state.shownCards.length > 0;
  empty.textContent = data.candidates.length === 0 ? 'No candidate videos were found.' : 'No releases match the filters.';
  const [some, total] = [state.shownCards.length, cards.length];
  const noun = `release${total === 1 ? '' : 's'}`;
  element('shown').textContent = some === total ? `${total} ${noun}` : `${some} of ${total} ${noun}`;
}

function judgeAll() {
  data.candidates.forEach(judge);
  for (const card of cards) {
    judgeCard(card);
    card.show(state.profile);
  }
  showHeadline();
}

// The address. Scripts may change its fragment also on pages without a server.

let waitingToWrite = 0;

/// Not at once: browsers refuse more than some changes in a row.
function writeAddress() {
  clearTimeout(waitingToWrite);
  waitingToWrite = setTimeout(() => history.replaceState(null, '', address()), 200);
}

/// The fragment of what is shown.
function address() {
  const { needs: chosen, search, rule, profile, sort: order, down, view, current } = state;
  const direction = down ? `-${order}` : order;
  const parts = {
    view: view === firstView ? '' : view, q: search, need: [...chosen].join(' '), rule, profile, sort: direction === 'fix' ? '' : direction,
    file: current && state.candidate.result.path,
  };
  const words = new URLSearchParams(Object.entries(parts).filter(([, value]) => value));
  return `#${words}`;
}

function readAddress() {
  clearTimeout(waitingToWrite);
  const words = new URLSearchParams(location.hash.slice(1));
  const choice = (name, id, first) => {
    const value = words.get(name) ?? first;
    const isKnown = [...element(id).options].some((one) => one.value === value);
    return isKnown ? value : first;
  };
  state.needs = new Set((words.get('need') ?? '').split(' ').filter((need) => need in needs));
  state.search = words.get('q') ?? '';
  state.rule = choice('rule', 'rule', '');
  const order = words.get('sort') ?? 'fix';
  state.down = order.startsWith('-');
  state.sort = order.replace('-', '') in orders ? order.replace('-', '') : 'fix';
  state.profile = choice('profile', 'profile', '');
  element('search').value = state.search;
  for (const id of ['rule', 'sort', 'profile']) element(id).value = state[id];
  const file = words.get('file');
  const candidate = file ? data.candidates.find(({ result }) => result.path === file) : undefined;
  const view = words.get('view');
  // A file is shown as its card.
  state.view = view in viewNames ? view : candidate ? 'cards' : firstView;
  judgeAll();
  state.current?.element?.classList.remove('current');
  [state.current, state.candidate] = [];
  apply();
  if (candidate?.card.isShown) choose(candidate.card, candidate);
}

/// Changes what is shown, and the address with it.
function change(changes) {
  Object.assign(state, changes);
  if ('profile' in changes) judgeAll();
  apply();
  writeAddress();
}

/// Makes a card the current one, which keys act on, and brings it into view.
function choose(card, candidate = card?.members[0]) {
  state.current?.element?.classList.remove('current');
  if (card && state.view !== 'cards') turnTo('cards');
  [state.current, state.candidate] = [card, candidate];
  if (!card) return;
  if (!card.isShown) {
    // Whoever asks for it wants to see it.
    Object.assign(state, { needs: new Set(), search: '', rule: '' });
    [element('search').value, element('rule').value] = ['', ''];
    apply();
  }
  if (card.need === 'ready') {
    state.isReadyOpen = true;
    for (const fold of document.querySelectorAll('details.ready')) fold.open = true;
  }
  views.cards.reach(card);
  card.build();
  card.element.classList.add('current');
  card.element.focus({ preventScroll: true });
  const scroll = () => (candidate === card.members[0] ? card.element : candidate.part)?.scrollIntoView({ block: 'start' });
  scroll();
  // Where it is now that its neighbours have their heights, unless the reader has moved on.
  if (!views.cards.isWhole) {
    let isLeft = false;
    const leave = () => { isLeft = true; };
    for (const kind of ['wheel', 'pointerdown', 'keydown', 'touchstart']) addEventListener(kind, leave, { once: true, passive: true });
    for (const delay of [0, 60, 200, 450]) setTimeout(() => { if (!isLeft && state.current === card) scroll(); }, delay);
  }
  writeAddress();
}

/// The address of a view with this candidate.
function addressOf(candidate) {
  return `#${new URLSearchParams({ file: candidate.result.path })}`;
}

// Keys.

function move(step) {
  const shown = sorted(state.shownCards);
  if (shown.length === 0) return;
  const place = shown.indexOf(state.current);
  choose(shown[place < 0 ? 0 : Math.max(0, Math.min(shown.length - 1, place + step))]);
}

/// Of the current card, or of the card that has the focus: the candidate whose loop is the worst.
function watchCurrent() {
  const card = document.activeElement?.closest?.('.card')?.card ?? state.current;
  if (!card?.isShown) return;
  const order = ['fail', 'warn', 'pass'];
  const [candidate] = card.members.filter(({ result }) => result.facts)
    .toSorted((a, b) => order.indexOf(loops[a.result.seam?.verdict] ?? 'fail') - order.indexOf(loops[b.result.seam?.verdict] ?? 'fail'));
  if (candidate) seamPlayer().open(candidate); else announce('There is no video to play.');
}

const keys = {
  '/': () => { element('search').focus(); element('search').select(); },
  j: () => move(1), k: () => move(-1), s: watchCurrent,
  c: () => (state.current?.element?.querySelector('.copy'))?.click(),
  v: () => turnTo({ grid: 'table', table: 'cards', cards: 'grid' }[state.view]),
  a: () => review(true), r: () => review(false),
  '?': () => element('help').showModal(),
};

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, select, textarea');
  if (event.key === 'Escape' && event.target === element('search')) element('search').blur();
  if (isTyping || document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
