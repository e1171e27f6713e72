import type { FieldProblem } from '@dealkeep/contract';
import { columnOf, type Import, type ImportedRow, readImportedRows } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { type Column, choices, linkButton, type Markup, table } from '../markup.ts';
import { fieldWords } from '../problem-words.ts';
import { numberOf } from '../values/shown-value.ts';
import { importAddress } from './addresses.ts';
import { headingOf } from './import-words.ts';
import { importSay } from './texts.ts';

const rowsShown = 50;

/** The column of a problem as its file calls it; the whole row where it is about that. */
export function placeOf(c: ConsoleContext, found: Import, path: string): string {
  const index = columnOf(found.mapping, path);
  return index === undefined ? importSay(c.get('language'))('wholeRow') : headingOf(c, found, index);
}

interface Line {
  readonly row: ImportedRow;
  readonly problem: FieldProblem;
}

/** What is wrong with the rows, by line and column; some rows at a time, and all as CSV. */
export async function problemTable(c: ConsoleContext, found: Import): Promise<Markup | string> {
  const [language, text] = [c.get('language'), importSay(c.get('language'))];
  const after = Number.parseInt(c.req.query('after') ?? '0', 10) || 0;
  const rows = await readImportedRows(c.get('core'), sessionOf(c), found, {
    after: Math.min(Math.max(after, 0), found.row_count),
    limit: rowsShown,
    states: ['faulty', 'refused'],
  });
  const lines: Line[] = rows.flatMap((row) => (row.problems ?? []).map((problem) => ({ row, problem })));
  const columns: Column<Line>[] = [
    { label: text('line'), cell: ({ row }) => numberOf(c, row.line) },
    { label: text('heading'), cell: ({ problem }) => placeOf(c, found, problem.path) },
    { label: text('problem'), cell: ({ problem }) => fieldWords(language, problem) },
  ];
  const address = importAddress(found);
  const last = rows.length === rowsShown ? rows.at(-1) : undefined;
  const first = after > 0 ? html`<a href="${address}">${text('firstProblems')}</a>` : '';
  const next = last
    ? html`<a rel="next" href="${address}?after=${last.number}">${text('moreProblems')}</a>`
    : '';
  return html`<h2>${text('problems')}</h2>${table(columns, lines)}
<nav class="pages" aria-label="${text('problems')}">${first}${next}</nav>
${choices(linkButton(`${address}/report.csv?only=problems`, text('problemsCsv'), 'secondary'))}`;
}
