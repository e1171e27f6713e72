// One of many, found while somebody types: the combobox of the ARIA Authoring Practices over a list to choose from. What
// is typed and not chosen is sent as it is, and looked for by the server as it is without this file.

let made = 0;

/** @param makeRecord shows the form of a path with some values, and answers the record that was made, or nothing */
export function enhanceChoices(root, makeRecord) {
  for (const box of root.querySelectorAll('.finder[data-choices]'))
    new Choice(box, fromServer(box), makeRecord);
  for (const box of root.querySelectorAll('.listed')) new Choice(box, fromList(box), makeRecord);
}

const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Offers what the server finds; before anything is typed, what a search has left to choose from. */
const fromServer = (finder) => {
  const { choices, parent } = finder.dataset;
  const left = [...(finder.querySelector('select')?.options ?? [])].filter(({ value }) => value !== '');
  return async (q, signal) => {
    if (q === '' && left.length > 1)
      return { said: '', choices: left.map(({ value, text }) => ({ id: value, name: text })) };
    const narrowed = parent && finder.closest('form').elements[parent]?.value;
    const asked = new URLSearchParams({ q, ...(narrowed ? { parent: narrowed } : {}) });
    const answer = await fetch(`${choices}?${asked}`, { signal });
    return answer.ok && !answer.redirected ? answer.json() : { said: '', choices: [] };
  };
};

/** Offers what a list on the page has. */
const fromList = ({ dataset, firstElementChild: select }) => {
  const all = [...select.options]
    .filter(({ value }) => value !== '')
    .map(({ value, text, parentElement }) => ({ id: value, name: text, about: parentElement.label ?? '' }));
  return async (q) => {
    const choices = all.filter(({ name, about }) => folded(`${name} ${about}`).includes(folded(q)));
    const said = choices.length === 0 ? dataset.none : dataset.found.replace('{count}', choices.length);
    return { said, choices };
  };
};

class Choice {
  constructor(box, find, makeRecord) {
    made += 1;
    Object.assign(this, { box, find, makeRecord });
    this.select = box.querySelector('select');
    this.input = box.querySelector('input') ?? document.createElement('input');
    this.findName = this.select ? this.input.name : '';
    this.list = Object.assign(document.createElement('div'), {
      id: `offers-${made}`,
      className: 'offers',
      popover: 'manual',
      role: 'listbox',
    });
    this.told = Object.assign(document.createElement('span'), {
      className: 'visually-hidden',
      role: 'status',
    });
    this.takeOver();
    box.append(this.input, this.list, this.told);
    this.list.ariaLabel = this.input.labels?.[0]?.textContent ?? '';
    this.listen();
  }

  /** The text box takes the place, the label and the help of the list, which still holds what is chosen. */
  takeOver() {
    const { box, select, input, list } = this;
    box.classList.add('is-open-to-typing');
    Object.assign(input, { type: 'text', autocomplete: 'off', role: 'combobox', ariaExpanded: 'false' });
    input.ariaAutoComplete = 'list';
    input.setAttribute('aria-controls', list.id);
    if (!select) return;
    const hasFocus = select.autofocus || document.activeElement === select;
    input.removeAttribute('aria-label');
    for (const name of ['id', 'aria-describedby', 'aria-invalid']) {
      const value = select.getAttribute(name);
      if (value !== null) input.setAttribute(name, value);
      select.removeAttribute(name);
    }
    select.hidden = true;
    box.querySelector('button')?.remove();
    if (select.value !== '') this.show(select.selectedOptions[0].text);
    if (hasFocus) queueMicrotask(() => input.focus());
  }

  listen() {
    const { input, list } = this;
    input.addEventListener('input', () => {
      if (this.select && this.select.value !== '') {
        this.select.value = '';
        this.tell();
      }
      if (this.findName) input.name = this.findName;
      clearTimeout(this.wait);
      this.wait = setTimeout(() => this.open(), 150);
    });
    input.addEventListener('click', () => this.open());
    input.addEventListener('keydown', (event) => this.pressed(event));
    input.addEventListener('blur', () => this.left());
    // The text box keeps the focus.
    list.addEventListener('pointerdown', (event) => event.preventDefault());
    list.addEventListener('click', (event) => this.take(event.target.closest('[role=option]')));
    for (const moving of ['scroll', 'resize'])
      window.addEventListener(moving, () => list.matches(':popover-open') && this.place(), true);
  }

  pressed(event) {
    const { key, altKey, isComposing } = event;
    const isOpen = this.list.matches(':popover-open');
    if (isComposing) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) this.open();
      else if (!altKey) this.move(key === 'ArrowDown' ? 1 : -1);
    } else if (key === 'Enter' && isOpen && !event.ctrlKey && !event.metaKey) {
      // Enter takes what is marked; without anything marked it is a press on the way to it, and sends nothing.
      if (this.active || !this.isFree) event.preventDefault();
      this.take(this.active);
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault();
      this.close();
    }
  }

  /** A list without a select beside it is only an offer: any text will do. */
  get isFree() {
    return !this.select;
  }

  get asked() {
    return this.select?.value ? '' : this.input.value.trim();
  }

  async open() {
    this.running?.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    const q = this.asked;
    if (this.isFree && q === '') return this.close();
    const { said, choices, create } = await this.find(q, signal).catch(() => ({ choices: [] }));
    if (signal.aborted || document.activeElement !== this.input) return;
    const offers = choices.map((choice) =>
      this.optionOf(choice.name, choice.about, () => this.choose(choice)),
    );
    if (create && this.makeRecord && !this.isFree)
      offers.push(this.optionOf(create.said, '', () => this.make(create.path, q)));
    this.list.replaceChildren(...offers);
    this.told.textContent = said ?? '';
    if (offers.length === 0) return this.close();
    this.list.showPopover();
    this.input.ariaExpanded = 'true';
    this.place();
    this.mark(q !== '' && !this.isFree ? offers[0] : undefined);
  }

  optionOf(name, about, chosen) {
    const option = Object.assign(document.createElement('div'), { role: 'option', chosen });
    option.id = `${this.list.id}-${made++}`;
    option.append(name);
    if (about)
      option.append(
        Object.assign(document.createElement('span'), { className: 'quiet', textContent: about }),
      );
    return option;
  }

  mark(option) {
    if (this.active) this.active.ariaSelected = 'false';
    this.active = option;
    if (!option) return this.input.removeAttribute('aria-activedescendant');
    option.ariaSelected = 'true';
    option.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', option.id);
  }

  move(by) {
    const all = [...this.list.children];
    const at = all.indexOf(this.active);
    this.mark(all.at(at === -1 ? Math.min(by, 0) : (at + by) % all.length) ?? all[0]);
  }

  /** Below the text box, or above it where there is more room. */
  place() {
    const { left, right, top, bottom, width } = this.input.getBoundingClientRect();
    const { style } = this.list;
    const wide = Math.max(width, Math.min(320, innerWidth - 16));
    const isAbove = innerHeight - bottom < 220 && top > innerHeight - bottom;
    Object.assign(style, {
      width: `${wide}px`,
      left: `${Math.max(8, Math.min(left, innerWidth - wide - 8, right))}px`,
      top: isAbove ? 'auto' : `${bottom + 2}px`,
      bottom: isAbove ? `${innerHeight - top + 2}px` : 'auto',
      maxHeight: `${Math.min(320, (isAbove ? top : innerHeight - bottom) - 12)}px`,
    });
  }

  close() {
    this.running?.abort();
    clearTimeout(this.wait);
    this.mark(undefined);
    if (this.list.matches(':popover-open')) this.list.hidePopover();
    this.input.ariaExpanded = 'false';
  }

  take(option) {
    if (!option) return;
    this.close();
    option.chosen();
  }

  left() {
    this.close();
    // A list of the page takes no other text than its own.
    if (this.select && !this.findName)
      this.input.value = this.select.selectedOptions[0]?.value ? this.select.selectedOptions[0].text : '';
  }

  show(name) {
    this.input.value = name;
    // What is only shown is not looked for.
    this.input.removeAttribute('name');
  }

  choose({ id, name, fills = {} }) {
    if (this.select) {
      if (this.findName) this.select.replaceChildren(new Option('—', ''), new Option(name, id, true, true));
      this.select.value = id;
      this.show(name);
      this.foldInline('');
    } else this.input.value = name;
    const path = (this.select ?? this.input).name.replace(/[^.]*$/, '');
    for (const [field, value] of Object.entries(fills)) {
      const beside = this.input.form.elements[`${path}${field}`];
      if (beside) beside.value = value;
    }
    this.tell();
  }

  tell() {
    (this.select ?? this.input).dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** A new record is described in the form itself where it can be, else in a dialog. */
  async make(path, name) {
    if (this.box.dataset.inline) {
      this.show('');
      if (this.findName) this.input.name = this.findName;
      return this.foldInline(name);
    }
    const narrowing = this.box.dataset.parent;
    const own = narrowing && this.input.form.elements[narrowing];
    const asked = { name, ...(own?.value ? { [own.name]: own.value } : {}) };
    const record = await this.makeRecord(path, asked);
    this.input.focus();
    if (record) this.choose({ ...record, id: this.valueOf(record.id) });
  }

  /** Of a customer, the value says that the new one is a company. */
  valueOf(id) {
    return this.box.dataset.choices.endsWith('/customer') ? `company:${id}` : id;
  }

  foldInline(name) {
    const { inline } = this.box.dataset;
    const details = inline && document.getElementById(`field-${inline}`);
    if (!details) return;
    const [first, ...others] = details.querySelectorAll('input, select');
    first.value = name;
    details.open = name !== '';
    if (name !== '') others[0]?.focus();
    else for (const each of others) each.value = '';
    this.tell();
  }
}
