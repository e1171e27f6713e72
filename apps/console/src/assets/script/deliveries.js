// Keeps the delivery log up to date while somebody looks at it, and counts what is selected.

const log = document.getElementById('log');
const news = document.getElementById('news');
const badge = document.getElementById('live');
const [askedEveryMs, idleAfterMs] = [3000, 30 * 60_000];

/** As the server says it: seconds, then minutes, hours and days. */
const format = new Intl.RelativeTimeFormat(document.documentElement.lang === 'sk' ? 'sk-SK' : 'en-GB', {
  style: 'short',
});
function agoText(seconds) {
  const size = Math.abs(seconds);
  if (size < 60) return format.format(Math.round(seconds), 'second');
  if (size < 3600) return format.format(Math.trunc(seconds / 60), 'minute');
  if (size < 86_400) return format.format(Math.trunc(seconds / 3600), 'hour');
  return format.format(Math.trunc(seconds / 86_400), 'day');
}
/** What the clock of the server is ahead of this one by; each page says when it was made. */
let aheadMs = 0;
setInterval(() => {
  for (const time of document.querySelectorAll('time[data-ago]')) {
    const said = agoText((Date.parse(time.dateTime) - Date.now() - aheadMs) / 1000);
    if (time.textContent !== said) time.textContent = said;
  }
}, 1000);

const boxes = () => [...document.querySelectorAll('input[name=delivery]')];

/** Says how many are selected, and offers to select all; without a script the button alone does. */
function showSelection() {
  const all = document.getElementById('select-all');
  const output = document.getElementById('selected');
  if (!all || !output) return;
  const [shown, chosen] = [boxes(), boxes().filter((box) => box.checked)];
  all.closest('label').hidden = false;
  all.checked = chosen.length > 0 && chosen.length === shown.length;
  all.indeterminate = chosen.length > 0 && !all.checked;
  const said = chosen.length > 0 ? output.dataset.selected.replace('{count}', chosen.length) : '';
  if (output.textContent !== said) output.textContent = said;
}
document.addEventListener('change', ({ target }) => {
  if (target.id === 'select-all') for (const box of boxes()) box.checked = target.checked;
  if (target.id === 'select-all' || target.name === 'delivery') showSelection();
});

/** Finds what has the focus again among new elements. */
function focusKey() {
  const element = document.activeElement;
  if (!log?.contains(element) || element === log) return undefined;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.name === 'delivery') return `input[name=delivery][value="${CSS.escape(element.value)}"]`;
  const address = element.getAttribute('href');
  return address ? `a[href="${CSS.escape(address)}"]` : 'button';
}

/** Shows the new list with the selection and the focus of the old one; answers how many rows are not as they were. */
function replace(html) {
  const rowsOf = () => new Set([...log.querySelectorAll('tbody tr')].map(rowText));
  const before = rowsOf();
  const selected = new Set(
    boxes()
      .filter(({ checked }) => checked)
      .map(({ value }) => value),
  );
  const focused = focusKey();
  log.innerHTML = html;
  for (const box of boxes()) box.checked = selected.has(box.value);
  if (focused) (log.querySelector(focused) ?? log).focus({ preventScroll: true });
  showSelection();
  return [...rowsOf()].filter((row) => !before.has(row)).length;
}

/** A row without the time that passes. */
function rowText(row) {
  const copy = row.cloneNode(true);
  for (const time of copy.querySelectorAll('time')) time.textContent = time.dateTime;
  return copy.textContent;
}

let mark = log?.dataset.mark;
let usedAt = Date.now();
for (const use of ['pointerdown', 'keydown', 'pointermove']) {
  document.addEventListener(use, () => {
    usedAt = Date.now();
  });
}

/** Somebody who marks text is not disturbed, and who has left the screen is not kept signed in. */
const isWatched = () =>
  !document.hidden &&
  Date.now() - usedAt < idleAfterMs &&
  (getSelection()?.isCollapsed !== false || !log.contains(getSelection().anchorNode));

async function update() {
  if (!isWatched()) return;
  const answer = await fetch(log.dataset.live, {
    headers: { 'If-None-Match': `"${mark}"` },
    redirect: 'error',
    cache: 'no-store',
  });
  const date = Date.parse(answer.headers.get('date') ?? '');
  // A header tells whole seconds.
  if (!Number.isNaN(date) && Math.abs(date - Date.now()) > 2000) aheadMs = date - Date.now();
  if (answer.status === 304) return;
  if (!answer.ok) throw new Error(`The list answered ${answer.status}`);
  const html = await answer.text();
  mark = answer.headers.get('etag').slice(1, -1);
  const changed = replace(html);
  if (changed > 0) news.textContent = log.dataset.news.replace('{count}', changed);
}

/** Goes on after a failure that may pass, more slowly; the list says whether it is live. */
async function watch(waitMs) {
  let next = askedEveryMs;
  try {
    await update();
    badge.hidden = false;
  } catch {
    badge.hidden = true;
    next = Math.min(waitMs * 2, 60_000);
  }
  setTimeout(() => watch(next), next);
}

showSelection();
if (log?.dataset.live) setTimeout(() => watch(askedEveryMs), askedEveryMs);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && log?.dataset.live) update().catch(() => {});
});
