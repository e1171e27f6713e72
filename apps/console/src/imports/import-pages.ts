import { limits, resources } from '@dealkeep/contract';
import {
  columnOf,
  countRows,
  type Import,
  type ImportStatus,
  previewRows,
  type ReadRow,
  type RowState,
  undoUntil,
} from '@dealkeep/core/operations';
import { html } from 'hono/html';
import { buttonForm, forgeryField } from '../auth/forgery.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { page } from '../frame/page.ts';
import {
  alert,
  badge,
  bar,
  button,
  type Column,
  choices,
  factList,
  linkButton,
  type Markup,
  table,
} from '../markup.ts';
import { fieldWords, problemWords } from '../problem-words.ts';
import { importPath } from '../records/import-path.ts';
import { say } from '../texts.ts';
import { printNumber } from '../values/numbers.ts';
import { momentText, numberOf } from '../values/shown-value.ts';
import { importAddress } from './addresses.ts';
import { headingOf, importTrail, recordKindOf, titleOf } from './import-words.ts';
import { mappingPage } from './mapping-page.ts';
import { problemTable } from './problem-table.ts';
import { stoppedProblem } from './stopped.ts';
import { importSay } from './texts.ts';

const longestShown = 80;

/**
 * What a column of a row was read as: a number and a yes in the user's language, what is wrong, else the cell
 * itself.
 */
function shownCell(
  c: ConsoleContext,
  { mapping }: Import,
  { row, body, problems }: ReadRow,
  index: number,
): Markup | string {
  const language = c.get('language');
  const cell = (row.cells[index] ?? '').trim();
  const path = mapping[index] ?? '';
  const shown = cell.length > longestShown ? `${cell.slice(0, longestShown)}…` : cell;
  const problem = problems.find((each) => columnOf(mapping, each.path) === index);
  if (problem) return html`${shown}<p class="field-problem">${fieldWords(language, problem)}</p>`;
  const value = body[path];
  if (typeof value === 'number') return printNumber(language, value);
  if (typeof value === 'boolean') return say(language)(value ? 'yes' : 'no');
  return shown;
}

type Counts = Partial<Record<RowState, number>>;

/** The page of an import: what it asks, how far it is, or what became of it. */
export async function importPage(c: ConsoleContext, found: Import): Promise<Response> {
  if (found.status === 'uploaded' || (found.status === 'checked' && c.req.query('columns') !== undefined)) {
    return mappingPage(c, found);
  }
  const { organization } = sessionOf(c);
  const counts = await countRows(c.get('core').sql, { organization: organization.id, id: found.id });
  const contents: Readonly<Record<Exclude<ImportStatus, 'uploaded'>, () => Promise<Markup>>> = {
    checking: () => progress(c, found, counts),
    checked: () => preview(c, found, counts),
    running: () => progress(c, found, counts),
    finished: () => result(c, found, counts),
    undoing: () => progress(c, found, counts),
    undone: () => result(c, found, counts),
  };
  const text = importSay(c.get('language'));
  const content = html`${importTrail(c, found)}${bar(html`${titleOf(found)} ${badge(text(found.status))}`)}
${await contents[found.status]()}`;
  return page(c, { title: titleOf(found), content });
}

const refreshedAfterSeconds = 2;

/** What is not done yet, while it is done. */
const leftWhile: Readonly<Partial<Record<ImportStatus, RowState>>> = {
  checking: 'waiting',
  running: 'ready',
  undoing: 'created',
};

async function progress(c: ConsoleContext, found: Import, counts: Counts): Promise<Markup> {
  const text = importSay(c.get('language'));
  // Browsers do it without JavaScript.
  c.header('Refresh', String(refreshedAfterSeconds));
  const state = leftWhile[found.status];
  const left = state === undefined ? 0 : (counts[state] ?? 0);
  const all = found.status === 'running' ? found.row_count - (counts.faulty ?? 0) : found.row_count;
  const said = text('progress', { done: numberOf(c, all - left), all: numberOf(c, all) });
  const stop =
    found.status === 'running'
      ? buttonForm(c, `${importAddress(found)}/stop`, button(text('stop'), { look: 'secondary' }))
      : '';
  return html`<section class="card" aria-label="${text('state')}">
<label for="progress">${text(found.status)}</label>
<progress id="progress" max="${all}" value="${all - left}">${said}</progress>
<p role="status">${said}</p><p class="quiet">${text('mayLeave')}</p>
${choices(linkButton(importAddress(found), text('showAnew'), 'secondary'), stop)}</section>`;
}

const rowsPreviewed = 5;

/** How the first rows are read, everything that is wrong with any, and what to do about it. */
async function preview(c: ConsoleContext, found: Import, counts: Counts): Promise<Markup> {
  const text = importSay(c.get('language'));
  const [ready, faulty] = [counts.ready ?? 0, counts.faulty ?? 0];
  const amounts = {
    ready: numberOf(c, ready),
    faulty: numberOf(c, faulty),
    all: numberOf(c, found.row_count),
  };
  const said =
    faulty === 0
      ? html`<p class="notice" role="status">${text('allGood')}</p>`
      : alert(text(ready > 0 ? 'someWrong' : 'allWrong', amounts));
  const address = importAddress(found);
  const goOn =
    ready > 0
      ? html`<form class="in-line" method="post" action="${address}/run">${forgeryField(c)}${button(text('import', { count: amounts.ready }))}</form>`
      : '';
  const others = linkButton(`${address}?columns`, text('otherColumns'), 'secondary');
  const discard = buttonForm(c, `${address}/discard`, button(text('discard'), { look: 'secondary' }));
  return html`${said}
<p class="quiet">${text('events')}</p>
${choices(goOn, others, discard)}
<h2>${text('preview')}</h2>
${await previewTable(c, found)}
${faulty > 0 ? await problemTable(c, found) : ''}`;
}

async function previewTable(c: ConsoleContext, found: Import): Promise<Markup> {
  const text = importSay(c.get('language'));
  const rows = await previewRows(c.get('core'), sessionOf(c), found, rowsPreviewed);
  const read = [...found.mapping.keys()].filter((index) => found.mapping[index] !== '');
  const columns: Column<(typeof rows)[number]>[] = [
    { label: text('line'), cell: ({ row }) => numberOf(c, row.line) },
    ...read.map((index) => ({
      label: headingOf(c, found, index),
      cell: (row: (typeof rows)[number]) => shownCell(c, found, row, index),
    })),
  ];
  return table(columns, rows);
}

const resultStates = [
  'created',
  'updated',
  'unchanged',
  'removed',
  'kept',
  'refused',
  'faulty',
  'ready',
] as const satisfies readonly RowState[];

async function result(c: ConsoleContext, found: Import, counts: Counts): Promise<Markup> {
  const [language, text] = [c.get('language'), importSay(c.get('language'))];
  const kind = recordKindOf(found);
  const stopped = stoppedProblem(found);
  const address = importAddress(found);
  const facts = resultStates.flatMap((state) => {
    const count = counts[state] ?? 0;
    return count > 0 ? [[text(state), numberOf(c, count)] as const] : [];
  });
  const wrong = (counts.refused ?? 0) + (counts.faulty ?? 0) > 0;
  const report = linkButton(`${address}/report.csv`, text('report'), 'secondary');
  const keptRows =
    (counts.kept ?? 0) > 0
      ? linkButton(`${address}/report.csv?only=kept`, text('keptRows'), 'secondary')
      : '';
  const list = linkButton(
    kind.path,
    text('toList', { what: resources[found.kind].plural[language] }),
    'secondary',
  );
  const another = linkButton(importPath(kind), text('anotherFile'), 'secondary');
  return html`${stopped ? alert(text('stopped', { why: problemWords(language, stopped) })) : ''}
<section class="card"><h2>${text('result')}</h2>${factList(facts)}
${choices(report, keptRows)}<p class="quiet">${text('forDays', { days: limits.importDays })}</p></section>
${undoing(c, found, counts)}
${choices(list, another)}
${wrong ? await problemTable(c, found) : ''}`;
}

function undoing(c: ConsoleContext, found: Import, counts: Counts): Markup | string {
  const text = importSay(c.get('language'));
  const until = undoUntil(found);
  if (!until || until < c.get('core').clock.now() || (counts.created ?? 0) === 0) return '';
  const moment = momentText(c, until.toISOString());
  return html`<form class="card" method="post" action="${importAddress(found)}/undo" data-confirm="${text('undoConfirm')}">
${forgeryField(c)}<p>${text('undoAbout', { moment })}</p>${choices(button(text('undo'), { look: 'danger' }))}</form>`;
}
