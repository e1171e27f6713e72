import { columnOf, type Import, type ReadRow } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { fieldWords } from '../problem-words.ts';
import { say } from '../texts.ts';
import { printNumber } from '../values/numbers.ts';

const longestShown = 80;

/** What a column of a row was read as: a number and a yes in the user's language, what is wrong, else the cell itself. */
export function shownCell(
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
