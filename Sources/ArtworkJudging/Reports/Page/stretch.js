/// Thousands of things in groups, of which only those near the window have elements.
///
/// A group out of sight is one empty element as high as it was, or as it will probably be.
class Stretch {
  /// - tag: of a group.
  /// - make: the element of a thing.
  /// - drop: is told which thing loses its element.
  constructor(tag, className, { make: build, drop = () => {}, height }) {
    Object.assign(this, { tag, className, build, drop, height, groups: [], isWhole: false });
    this.watch = new IntersectionObserver((entries) => {
      for (const { target: { group }, isIntersecting } of entries) {
        if (isIntersecting) this.raise(group); else this.sink(group);
      }
    }, { rootMargin: '900px 0px' });
  }

  /// The groups of these things. What they had before loses its elements.
  ///
  /// - size: of a group.
  /// - isWhole: whether all are built at once, for the browser's own search.
  fill(things, size, isWhole) {
    this.isWhole = isWhole;
    const groups = [];
    for (let start = 0; start < things.length; start += size) {
      const group = { things: things.slice(start, start + size), isRaised: false, element: make(this.tag, this.className) };
      group.element.group = group;
      this.reserve(group, this.height * group.things.length);
      groups.push(group);
    }
    this.groups.push(...groups);
    for (const group of groups) if (isWhole) this.raise(group); else this.watch.observe(group.element);
    return groups.map((group) => group.element);
  }

  clear() {
    this.watch.disconnect();
    for (const group of this.groups) {
      if (group.isRaised) group.things.forEach(this.drop);
    }
    this.groups = [];
  }

  raise(group) {
    if (group.isRaised) return;
    group.isRaised = true;
    group.element.style.height = '';
    group.element.replaceChildren(...group.things.map(this.build));
  }

  sink(group) {
    if (!group.isRaised || this.isWhole) return;
    // Who reads it with the keyboard stays where they are.
    if (group.element.contains(document.activeElement)) return;
    const { height } = group.element.getBoundingClientRect();
    group.isRaised = false;
    group.things.forEach(this.drop);
    this.reserve(group, height);
  }

  /// Rows of a table have no height of their own without a cell.
  reserve(group, height) {
    if (this.tag !== 'tbody') {
      group.element.replaceChildren();
      group.element.style.height = `${height}px`;
      return;
    }
    const row = make('tr', 'reserved');
    row.append(make('td'));
    row.firstChild.colSpan = 99;
    row.firstChild.style.height = `${height}px`;
    group.element.replaceChildren(row);
  }

  /// Builds the group of a thing.
  reach(thing) {
    const group = this.groups.find(({ things }) => things.includes(thing));
    if (group) this.raise(group);
  }

  /// Builds everything, to be printed.
  raiseAll() { this.groups.forEach((group) => this.raise(group)); }
}
