// The search of every page, while it is typed into: a combobox whose options come from the server (ARIA APG, Combobox).

const input = document.querySelector('#search');
const palette = document.querySelector('#palette');
const status = palette.parentElement.querySelector('[role=status]');
const { from, recent, visit } = palette.dataset;
const pauseMs = 120;

/** Opens it, with the cursor in the field. */
export function openPalette() {
  input.focus();
  input.select();
  void ask();
}

input.setAttribute('role', 'combobox');
input.setAttribute('aria-autocomplete', 'list');
input.setAttribute('aria-expanded', 'false');
input.parentElement.querySelector('kbd').hidden = false;

let asking = new AbortController();
let waiting;

/** Asks for what fits; an answer to what was typed before is thrown away. */
async function ask() {
  clearTimeout(waiting);
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  try {
    const answer = await fetch(`${from}?${new URLSearchParams({ q: input.value })}`, { signal });
    if (!answer.ok || answer.redirected) return close();
    const options = await answer.text();
    if (!signal.aborted) show(options);
  } catch (error) {
    if (error.name !== 'AbortError') close();
  }
}

function show(options) {
  palette.innerHTML = options;
  const list = palette.querySelector('[role=listbox]');
  if (input.value.trim() === '') list.prepend(...recentGroup());
  optionsNow().forEach((option, number) => {
    option.id = `palette-${number}`;
  });
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'true');
  input.removeAttribute('aria-activedescendant');
  palette.hidden = false;
  status.textContent = list.dataset.said;
}

function close() {
  clearTimeout(waiting);
  asking.abort();
  palette.hidden = true;
  palette.replaceChildren();
  status.textContent = '';
  input.setAttribute('aria-expanded', 'false');
  input.removeAttribute('aria-controls');
  input.removeAttribute('aria-activedescendant');
}

const optionsNow = () => [...palette.querySelectorAll('[role=option]')];
const chosenNow = () => palette.querySelector('[aria-selected=true]');

/** Moves the choice; past either end it is in the field again. */
function move(by) {
  const options = optionsNow();
  const at = options.indexOf(chosenNow());
  const next = at === -1 && by < 0 ? options.length - 1 : at + by;
  chosenNow()?.setAttribute('aria-selected', 'false');
  const option = options[next];
  if (!option) return input.removeAttribute('aria-activedescendant');
  option.setAttribute('aria-selected', 'true');
  option.scrollIntoView({ block: 'nearest' });
  input.setAttribute('aria-activedescendant', option.id);
}

input.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, pauseMs);
});
input.addEventListener('click', () => {
  if (palette.hidden) void ask();
});
input.addEventListener('keydown', (event) => {
  if (event.isComposing) return;
  const isOpen = !palette.hidden;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    if (isOpen) move(event.key === 'ArrowDown' ? 1 : -1);
    else void ask();
  } else if (event.key === 'Enter' && isOpen && chosenNow()) {
    event.preventDefault();
    chosenNow().click();
  } else if (event.key === 'Escape' && isOpen) {
    event.preventDefault();
    close();
  }
});
input.form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!input.form.contains(relatedTarget)) close();
});

// What was opened last is kept for this visit: another account or organization begins anew.

const kept = `recent ${visit}`;
const mostRecent = 5;

function recentPages() {
  try {
    return JSON.parse(sessionStorage.getItem(kept) ?? '[]');
  } catch {
    return [];
  }
}

/** Drawn with the icon of its list in the navigation, so that nothing but a path and a title is kept. */
function recentGroup() {
  const pages = recentPages().filter(({ path }) => path !== location.pathname);
  if (pages.length === 0) return [];
  const group = document.createElement('div');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', recent);
  const heading = document.createElement('p');
  heading.ariaHidden = 'true';
  heading.textContent = recent;
  group.append(heading, ...pages.map(recentOption));
  return [group];
}

function recentOption({ path, title }) {
  const list = document.querySelector(`#navigation a[href="/${path.split('/')[1]}"]`);
  const option = document.createElement('a');
  for (const [name, value] of Object.entries({
    role: 'option',
    'aria-selected': 'false',
    tabindex: '-1',
    href: path,
  })) {
    option.setAttribute(name, value);
  }
  const [name, about] = [document.createElement('span'), document.createElement('span')];
  name.textContent = title;
  about.className = 'quiet';
  about.textContent = list?.textContent ?? '';
  option.append(...(list ? [list.querySelector('svg').cloneNode(true)] : []), name, about);
  return option;
}

for (const name of Object.keys(sessionStorage)) {
  if (name.startsWith('recent ') && name !== kept) sessionStorage.removeItem(name);
}
if (/^\/[a-z]+\/[0-9a-f-]{36}$/.test(location.pathname)) {
  const page = { path: location.pathname, title: document.title.replace(/ · Dealkeep$/, '') };
  const others = recentPages().filter(({ path }) => path !== page.path);
  sessionStorage.setItem(kept, JSON.stringify([page, ...others].slice(0, mostRecent)));
}
