// Keys for whoever has the hands on the keyboard. All that they do can be done without them.

import { openPalette } from './palette.js';

const button = document.querySelector('button[data-shortcuts]');
const sequenceMs = 1500;
/** Kept by the browser, because it is about its keyboard: single keys get in the way of dictation (WCAG 2.1.4). */
const switchedOff = 'single keys are off';

button.parentElement.hidden = false;
button.addEventListener('click', showShortcuts);

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && /^k$/i.test(event.key)) {
    event.preventDefault();
    openPalette();
    return;
  }
  if (event.ctrlKey || event.metaKey || isTyping(event.target) || localStorage.getItem(switchedOff)) return;
  const done = followed(event.key) || pressed(event.key);
  if (done) event.preventDefault();
});

const isTyping = (target) =>
  document.querySelector('dialog[open], :popover-open') !== null ||
  target.isContentEditable ||
  target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=submit], [type=button])');

/** When `g` was pressed. */
let begun = Number.NEGATIVE_INFINITY;

/** The second key after `g`. */
function followed(key) {
  const isFollowing = performance.now() - begun < sequenceMs;
  begun = Number.NEGATIVE_INFINITY;
  const link = isFollowing && document.querySelector(`#navigation a[data-key="${CSS.escape(key)}"]`);
  if (link) link.click();
  return Boolean(link);
}

function pressed(key) {
  if (key === 'g') begun = performance.now();
  else if (key === '/') openPalette();
  else if (key === '?') void showShortcuts();
  else if (key === 'c') create();
  else return false;
  return true;
}

/** What the page lists is made by its button; a page without one offers all that can be made. */
function create() {
  const link = document.querySelector('main a.button[href$="/new"]');
  if (link) link.click();
  else openPalette();
}

async function showShortcuts() {
  const answer = await fetch(button.dataset.shortcuts);
  if (!answer.ok || answer.redirected) return;
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'shortcuts-title');
  dialog.className = 'card';
  dialog.innerHTML = await answer.text();
  const form = document.createElement('form');
  form.method = 'dialog';
  const close = document.createElement('button');
  close.textContent = button.dataset.close;
  form.append(close);
  dialog.append(form);
  const single = dialog.querySelector('[name=single-keys]');
  single.checked = !localStorage.getItem(switchedOff);
  single.addEventListener('change', () => {
    if (single.checked) localStorage.removeItem(switchedOff);
    else localStorage.setItem(switchedOff, 'yes');
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
