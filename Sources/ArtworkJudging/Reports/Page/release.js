/// The name of a card: soft folders, then what tells it apart.
function titled(tag, folder, name) {
  const title = make(tag);
  title.append(make('span', 'folder', folder === '' ? '' : printable(folder === '/' ? folder : `${folder}/`)), make('bdi', 'name', printable(name)));
  return title;
}

/// One release with all its videos and its cover, or one candidate that stands alone.
///
/// It has no element before `raise`, which makes its heading. `build` adds the rest, which thousands of cards never need.
class Card {
  constructor(members, release, index, data) {
    Object.assign(this, { members, release, index, data, isBuilt: false, element: undefined });
    this.command = (release ?? members[0]).command;
    for (const member of members) member.card = this;
  }

  raise() {
    if (this.element) return this.element;
    const { members: [first], release, index } = this;
    this.element = make('article', 'card');
    this.element.id = `r${index}`;
    this.element.tabIndex = -1;
    this.element.card = this;
    this.badge = make('span', 'verdict');
    const head = make('header', 'head');
    this.title = release ? this.releaseTitle() : titled('h2', first.folder, first.name);
    this.title.id = `t${index}`;
    this.element.setAttribute('aria-labelledby', this.title.id);
    head.append(this.badge, this.title);
    this.reviewed = make('span', 'reviewed');
    head.append(this.reviewed);
    const keys = release ? '' : first.result.key;
    if (keys) head.append(make('span', 'key', keys));
    this.body = make('div', 'body');
    this.needLine = make('p', 'need');
    this.body.append(head, this.needLine);
    if (this.command) {
      const line = commandLine(this.command);
      line.classList.add('first');
      this.body.append(line);
    }
    this.element.append(this.body);
    this.show(this.profile);
    return this.element;
  }

  /// Forgets its element.
  drop() {
    [this.element, this.isBuilt, this.overview, this.own] = [undefined, false];
    for (const member of this.members) {
      [member.part, member.player, member.list, member.badge, member.mark] = [];
      if (member.before) member.before.player = undefined;
    }
  }

  /// The folder's own name is mostly the artwork's.
  releaseTitle() {
    const { artworkID, folder } = this.release;
    const parts = folder.split('/');
    const home = parts.lastIndexOf(artworkID);
    const title = make('h2');
    const above = home < 0 ? folder : parts.slice(0, home).join('/');
    title.append(make('span', 'folder', above === '' || above === '.' ? '' : `${printable(above)}/`), make('bdi', 'id', printable(artworkID)));
    return title;
  }

  /// Whether somebody accepted or rejected it.
  showReview() {
    const verdict = reviewOf(this);
    if (this.reviewed) {
      this.reviewed.textContent = verdict === undefined ? '' : verdict ? 'accepted' : 'rejected';
      this.element.classList.toggle('accepted', verdict === true);
      this.element.classList.toggle('rejected', verdict === false);
    }
    this.tile?.classList.toggle('accepted', verdict === true);
    this.tile?.classList.toggle('rejected', verdict === false);
  }

  get isRelease() { return this.release !== undefined; }

  build() {
    if (this.isBuilt) return;
    this.raise();
    this.isBuilt = true;
    const stage = make('div', 'stage');
    this.element.prepend(stage);
    for (const member of this.members) stage.append(...this.shots(member));
    if (this.release?.cover) stage.append(coverShot(this.release.cover));
    this.element.classList.toggle('several', stage.children.length > 1);
    if (this.isRelease) {
      this.overview = make('ul', 'overview');
      this.own = make('ul', 'findings');
      this.body.append(this.overview, this.own);
      const parts = make('div', 'parts');
      for (const member of this.members) parts.append(this.section(member));
      this.element.append(parts);
    } else {
      this.body.append(...this.section(this.members[0]).childNodes);
    }
    this.show(this.profile);
  }

  /// The video; what it was made of stands before it.
  shots(member) {
    const after = videoShot(member);
    if (this.isRelease || member.before) after.append(this.shotCaption(member));
    if (!member.before?.result.facts) return [after];
    const before = videoShot(Object.assign(member.before, { card: this }));
    before.append(make('figcaption', '', member.before.isSame ? 'made of' : 'before'));
    before.classList.add('before');
    const pair = make('div', 'pair');
    pair.append(before, after);
    return [pair];
  }

  shotCaption(member) {
    const caption = make('figcaption');
    member.mark = make('span', 'mark');
    const text = make('span');
    text.append(member.mark, ` ${member.before ? 'after, ' : ''}${member.result.key ?? ''}`);
    caption.append(text);
    return caption;
  }

  /// One line for a video: what it is, and how it was made.
  summary(member, verdict) {
    const { facts } = member.result;
    const line = make('li');
    const about = facts
      ? [`${facts.displayWidth}x${facts.displayHeight}`, facts.frameRate && `${decimal(facts.frameRate, 2)} fps`, `${decimal(facts.durationSeconds, 2)} s`]
      : [];
    line.append(make('span', `mark ${verdict}`, marks[verdict]), make('b', '', member.result.key ?? printable(member.name)));
    line.append(make('span', 'about', about.filter(Boolean).join(' · ')));
    for (const text of member.before?.changes ?? []) line.append(make('span', 'words made', printable(text)));
    return line;
  }

  /// Everything about one video but its picture.
  section(member) {
    const part = make('section', 'part');
    member.part = part;
    if (this.isRelease) {
      const head = make('h3', 'part-head');
      member.badge = make('span', 'verdict');
      head.append(member.badge, make('bdi', 'name', printable(member.name)), make('span', 'key', member.result.key ?? ''));
      part.append(head);
    }
    member.list = make('ul', 'findings');
    part.append(evidence(member, () => seamPlayer().open(member)), member.list, factTable(member));
    return part;
  }

  /// Fills in what depends on the profile.
  show(profile) {
    this.profile = profile;
    const verdicts = this.members.map((member) => verdictOf(member, profile));
    const worst = verdicts.toSorted((a, b) => ranks[a] - ranks[b])[0];
    this.verdict = worst;
    if (!this.element) return;
    this.element.classList.remove(...Object.keys(ranks));
    this.element.classList.add(worst);
    this.badge.replaceChildren(badge(worst));
    const doubts = new Set(this.members.flatMap((member) => member.doubts));
    this.needLine.textContent = this.need === undefined ? '' : [needs[this.need].title, ...doubts].join(': ');
    this.needLine.className = `need ${this.need}`;
    this.showReview();
    if (!this.isBuilt) return;
    const isOfReleases = (rule) => this.isRelease && (this.data.rules[rule]?.isOfReleases ?? false);
    const fill = (list, items) => {
      list.replaceChildren(...items);
      list.hidden = items.length === 0;
    };
    this.overview?.replaceChildren(...this.members.map((member, place) => this.summary(member, verdicts[place])));
    if (this.own) fill(this.own, findingItems(this.members, profile, this.data, isOfReleases));
    for (const [place, member] of this.members.entries()) {
      fill(member.list, findingItems([member], profile, this.data, (rule) => !isOfReleases(rule)));
      member.badge?.replaceChildren(badge(verdicts[place]));
      if (!member.mark) continue;
      member.mark.textContent = marks[verdicts[place]];
      member.mark.className = `mark ${verdicts[place]}`;
    }
  }
}

/// One card for each release, one for each candidate without a release, in the order of the candidates.
function makeCards(data) {
  const groups = new Map();
  for (const candidate of data.candidates) {
    const group = candidate.release ?? candidate;
    groups.set(group, [...(groups.get(group) ?? []), candidate]);
  }
  return [...groups].map(([group, members], index) => new Card(members, data.releases[group], index, data));
}
