// What makes a form shorter to fill in. Everything works without it.

import { enhanceChoices } from './choice.js';
import { newRecord } from './new-record.js';

const lines = { 'X-Dealkeep-Part': 'lines' };

const makeRecord = (path, values) => newRecord(path, values, enhanceForm);

/** Gives a form what scripts can: choices by typing, lines that are counted while somebody types, Ctrl-Enter. */
export function enhanceForm(form) {
  enhanceChoices(form, makeRecord);
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector('button[name=do][value=save]'));
  });
  for (const items of form.querySelectorAll('.items-of')) countItems(form, items);
}

/** The lines of an invoice: the server adds, moves and counts them, by the same arithmetic by which it saves them. */
function countItems(form, items) {
  let wait;
  let running = new AbortController();
  const ask = async (act) => {
    running.abort();
    running = new AbortController();
    const body = new URLSearchParams(new FormData(form));
    body.set('do', act);
    const { signal } = running;
    const answer = await fetch(form.action, { method: 'POST', headers: lines, body, signal });
    if (!answer.ok || answer.redirected) throw new Error(`The form was answered by ${answer.status}`);
    const shown = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (signal.aborted) throw new Error('Something else was asked for since');
    return shown.querySelector(`.items-of[data-items="${items.dataset.items}"]`);
  };
  const count = async () => {
    const shown = await ask('totals').catch(() => undefined);
    const [before, after] = [items, shown].map((each) => each?.querySelectorAll('output') ?? []);
    const sums = shown?.querySelector('.sums');
    if (sums) items.querySelector('.sums').replaceWith(sums);
    for (const [at, output] of [...items.querySelectorAll('td output')].entries())
      if (before.length > 0 && after[at]) output.textContent = after[at].textContent;
  };
  const countsByItself = () => {
    items.querySelector('button[value=totals]')?.remove();
  };
  countsByItself();
  const later = () => {
    clearTimeout(wait);
    wait = setTimeout(count, 250);
  };
  for (const typed of ['input', 'change']) form.addEventListener(typed, later);
  items.addEventListener('click', async (event) => {
    const button = event.target.closest('button[name=do]');
    const act = /^(?:add|remove|up|down|totals)\b/.test(button?.value ?? '') ? button.value : undefined;
    if (!act) return;
    event.preventDefault();
    clearTimeout(wait);
    const shown = await ask(act).catch(() => undefined);
    if (!shown) return form.requestSubmit(button);
    items.replaceChildren(...shown.childNodes);
    enhanceChoices(items, makeRecord);
    countsByItself();
    focusAfter(items, act);
    form.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/** After a press, the focus is where the work goes on: in a new line, or on the line that was moved. */
function focusAfter(items, act) {
  const [step, , row = '0'] = act.split(':');
  const rows = [...items.querySelectorAll('tbody tr[id]')];
  if (step === 'add') return rows.at(-1)?.querySelector('input, select')?.focus();
  const at = Number(row) + { up: -1, down: 1, remove: -1 }[step] || 0;
  const line = rows[Math.max(0, at)];
  const same = step === 'remove' ? undefined : line?.querySelector(`button[value^="${step}:"]`);
  (same ?? line?.querySelector('.line-steps button'))?.focus();
}

/** Asks before a form is left that somebody has changed; what is sent is not asked about. */
function askBeforeLeaving(form) {
  let changed = false;
  let sent = false;
  const note = () => {
    changed = true;
  };
  for (const typed of ['input', 'change']) form.addEventListener(typed, note);
  form.addEventListener('submit', () => {
    sent = true;
  });
  // Shown again from the memory of the browser: it has been sent before, and what stands in it is typed again.
  window.addEventListener('pageshow', () => {
    sent = false;
  });
  window.addEventListener('beforeunload', (event) => {
    if (changed && !sent) event.preventDefault();
  });
}

for (const form of document.querySelectorAll('main form[data-leave]')) {
  enhanceForm(form);
  askBeforeLeaving(form);
}
