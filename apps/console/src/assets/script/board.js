// Moves the cards of the board: by dragging, by the keyboard, and by their menu. Without this file a card's menu leads to
// the page that asks where to. SortableJS stands before it on the page.

const board = document.querySelector('.board');
const stages = [...document.querySelectorAll('.stage')];
const part = (id) => document.getElementById(id);
const [menu, question, toast] = [part('stage-menu'), part('why-lost'), part('toast')];
const stageOf = (id) => stages.find(({ dataset }) => dataset.stage === id);
const linkOf = (card) => card.querySelector('h3 a');

/** A place on the board, to which a card can come back. */
const spotOf = (card) => ({ stage: card.parentElement, next: card.nextElementSibling });

/** Puts a card somewhere without taking the focus from it. */
function put(card, { stage, next }) {
  const held = card.contains(document.activeElement) ? document.activeElement : undefined;
  stage.insertBefore(card, next?.parentElement === stage ? next : stage.firstElementChild);
  held?.focus();
}

/** The cards that were changed last come first, as they do when the page is loaded anew. */
const putFirst = (card, stage) => put(card, { stage, next: stage.firstElementChild });

let undoing;
let hiding;
/** Says what came of a move, and how it is taken back, until there was time to read it. */
function say(said, undo) {
  toast.hidden = false;
  toast.querySelector('[role=status]').textContent = said;
  toast.querySelector('[data-undo]').hidden = !undo;
  undoing = undo;
  hideLater();
}
function hideLater() {
  clearTimeout(hiding);
  hiding = setTimeout(() => (toast.matches(':hover, :focus-within') ? hideLater() : hide()), 10_000);
}
function hide() {
  toast.hidden = true;
}
toast.querySelector('[data-close]').addEventListener('click', hide);
toast.querySelector('[data-undo]').addEventListener('click', () => undoing?.());

/** Asks why a lead was lost; undefined where somebody thought better of it. */
function askWhy() {
  const form = question.querySelector('form');
  form.reset();
  question.returnValue = '';
  question.showModal();
  return new Promise((answer) => {
    question.addEventListener(
      'close',
      () => answer(question.returnValue === 'move' ? Object.fromEntries(new FormData(form)) : undefined),
      { once: true },
    );
  });
}

/** Sends a move. Where nothing that can be understood comes back, only says so. */
async function post(id, fields) {
  try {
    const body = new URLSearchParams(new FormData(part('board-move')));
    for (const [name, value] of Object.entries({ ...fields, board: location.search })) body.set(name, value);
    const answer = await fetch(`/leads/${id}/move`, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body,
      signal: AbortSignal.timeout(20_000),
    });
    return { ...(await answer.json()), isMoved: answer.ok };
  } catch {
    return { said: board.dataset.failed, isUnknown: true };
  }
}

/** One move is sent after the other, so that a card that is moved twice goes the way that somebody saw. */
let last = Promise.resolve();
const turns = new WeakMap();

/** Moves a card at once and sends it; `spot` is where it comes back to if it is refused. */
function send(card, spot, fields) {
  const turn = (turns.get(card) ?? 0) + 1;
  turns.set(card, turn);
  putFirst(card, stageOf(fields.stage_id));
  last = last.then(async () => {
    const answer = await post(card.dataset.lead, fields);
    const undo = answer.undo && (() => send(card, spotOf(card), answer.undo));
    say(answer.said, undo);
    for (const [id, total] of Object.entries(answer.totals ?? {})) {
      board.querySelector(`[data-total="${id}"]`).textContent = total;
    }
    // A later move of the same card says where it stands.
    if (turns.get(card) !== turn) return;
    if (answer.isUnknown) put(card, spot);
    else show(card, spot, answer);
  });
}

/** Shows a card as the server has it by now. */
function show(card, spot, { card: drawn, stage_id: id }) {
  const stage = stageOf(id);
  if (!stage) return card.remove();
  const hadFocus = card.contains(document.activeElement);
  const template = document.createElement('template');
  template.innerHTML = drawn;
  card.replaceChildren(...template.content.firstElementChild.childNodes);
  if (hadFocus) linkOf(card).focus();
  if (stage === spot.stage) put(card, spot);
  else if (stage !== card.parentElement) putFirst(card, stage);
}

/** Moves a card to a stage, from where it stood before. */
async function move(card, stage, spot = spotOf(card)) {
  if (stage === spot.stage) return;
  const fields = { from: spot.stage.dataset.stage, stage_id: stage.dataset.stage };
  const because = stage.dataset.kind === 'lost' ? await askWhy() : {};
  if (because) send(card, spot, { ...fields, ...because });
  else put(card, spot);
}

/** By dragging; on a touch screen after a moment, because a finger also scrolls. */
let dragged;
const isMovable = document.querySelector('.card-menu') !== null;
board.classList.toggle('is-movable', isMovable);
for (const stage of isMovable ? stages : []) {
  window.Sortable.create(stage, {
    group: 'leads',
    sort: false,
    draggable: '.lead-card',
    filter: '.card-menu',
    preventOnFilter: false,
    delay: 200,
    delayOnTouchOnly: true,
    touchStartThreshold: 5,
    forceFallback: true,
    fallbackOnBody: true,
    fallbackTolerance: 4,
    ghostClass: 'is-place',
    fallbackClass: 'is-dragged',
    scrollSensitivity: 60,
    onStart: ({ item }) => {
      dragged = spotOf(item);
      board.classList.add('is-dragging');
    },
    onEnd: ({ item, to }) => {
      board.classList.remove('is-dragging');
      move(item, to, dragged);
    },
  });
}

/** By the menu of a card. */
let asking;
board.addEventListener('click', (event) => {
  const opener = event.target.closest('.card-menu');
  if (!opener) return;
  event.preventDefault();
  asking = opener.closest('.lead-card');
  for (const choice of menu.querySelectorAll('button')) {
    choice.disabled = choice.value === asking.parentElement.dataset.stage;
  }
  menu.showPopover();
  const { right, bottom, top } = opener.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = bottom + height < innerHeight;
  menu.style.left = `${Math.max(8, right - width)}px`;
  menu.style.top = `${Math.max(8, below ? bottom : top - height)}px`;
  menu.querySelector('button:enabled')?.focus();
});
menu.addEventListener('click', ({ target }) => {
  if (!target.value) return;
  menu.hidePopover();
  linkOf(asking).focus();
  move(asking, stageOf(target.value));
});
menu.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...menu.querySelectorAll('button:enabled')];
  all.at((all.indexOf(document.activeElement) + step) % all.length).focus();
});

/** By arrow keys: alone they go from card to card, with Shift they move the card. */
board.addEventListener('keydown', (event) => {
  const card = event.target.closest('.lead-card');
  const [across, down] =
    { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
  if (!card || across === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const stage = card.parentElement;
  const beside = stages[stages.indexOf(stage) + across];
  if (event.shiftKey) {
    if (across !== 0 && beside && card.querySelector('.card-menu')) move(card, beside);
    return;
  }
  const cards = (of) => [...of.querySelectorAll('.lead-card')];
  const at = cards(stage).indexOf(card);
  const next = down === 0 ? beside && (cards(beside)[at] ?? cards(beside).at(-1)) : cards(stage)[at + down];
  if (next) linkOf(next).focus();
});
part('board-keys').hidden = !isMovable;

/** More cards of a stage come below those that stand there. */
const nameMore = (link) => {
  link.textContent = link.dataset.label;
};
for (const link of board.querySelectorAll('[data-more]')) nameMore(link);
board.addEventListener('click', async (event) => {
  const link = event.target.closest('[data-more]');
  if (!link) return;
  event.preventDefault();
  const answer = await fetch(link.dataset.more);
  // Signed out, or a page that is too old: the list shows them.
  if (!answer.ok || answer.redirected) return location.assign(link.href);
  const template = document.createElement('template');
  template.innerHTML = await answer.text();
  for (const card of template.content.querySelectorAll('.lead-card')) {
    if (board.querySelector(`[data-lead="${card.dataset.lead}"]`)) card.remove();
  }
  for (const further of template.content.querySelectorAll('[data-more]')) nameMore(further);
  const first = template.content.querySelector('a');
  link.closest('.more').replaceWith(template.content);
  first?.focus();
});
