import { limits, type Text } from '@dealkeep/contract';
import {
  chooseMapping,
  countShortRows,
  type Import,
  type ImportChoice,
  type ImportTarget,
  importTargets,
  isRequired,
  permittedMatches,
  readImportedRows,
} from '@dealkeep/core/operations';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { buttonForm, forgeryField } from '../auth/forgery.ts';
import { type ConsoleContext, receivedForm, sessionOf } from '../context.ts';
import { isMendable, statusOf } from '../forms/send.ts';
import { page } from '../frame/page.ts';
import { alert, bar, button, type Column, choices, field, type Markup, option, table } from '../markup.ts';
import { fieldWords, problemWords } from '../problem-words.ts';
import { numberOf } from '../values/shown-value.ts';
import { importAddress } from './addresses.ts';
import { headingOf, importTrail, titleOf } from './import-words.ts';
import { stoppedProblem } from './stopped.ts';
import { importSay } from './texts.ts';

const shownValues = 3;
const longestValue = 60;

interface Refused {
  /** By column, `column-2`, and by `match_by`. */
  readonly beside: ReadonlyMap<string, string>;
  readonly above: readonly string[];
  readonly status: ContentfulStatusCode;
}

/** Asks what each column is read as, with what its heading proposes. */
export async function mappingPage(c: ConsoleContext, found: Import, refused?: Refused): Promise<Response> {
  const [text, session] = [importSay(c.get('language')), sessionOf(c)];
  const core = c.get('core');
  const stopped = refused ? undefined : stoppedProblem(found);
  const targets = await importTargets(core, session.organization, found.kind);
  const first = await readImportedRows(core, session, found, { limit: shownValues });
  const short = await countShortRows(core, session, found);
  const columns: Column<number>[] = [
    { label: text('heading'), cell: (index) => headingOf(c, found, index) },
    {
      label: text('firstValues'),
      cell: (index) => html`${first.map(({ cells }) => html`${shortened(cells[index] ?? '')}<br>`)}`,
    },
    { label: text('readAs'), cell: (index) => chooser(c, found, targets, index, refused) },
  ];
  const about = text('columnsAbout', {
    rows: numberOf(c, found.row_count),
    encoding: found.encoding.toUpperCase().replace('WINDOWS', 'Windows'),
    delimiter: text(delimiterNames[found.delimiter] ?? 'commas'),
  });
  const content = html`${importTrail(c, found)}${bar(titleOf(found))}
<p>${about}</p><p class="quiet">${text('namesHelp')}</p>
${stopped ? alert(problemWords(c.get('language'), stopped)) : ''}${refused ? refused.above.map(alert) : ''}
<form method="post" action="${importAddress(found)}/columns">
${forgeryField(c)}
<h2>${text('columns')}</h2>
${table(columns, [...found.headings.keys()])}
<section class="card" aria-label="${text('columns')}">
${decimalMark(c, found)}
${matching(c, found, targets, refused)}
${short > 0 ? shortRows(c, found, short) : ''}
</section>
${choices(button(text('check')))}
</form>
${buttonForm(c, `${importAddress(found)}/discard`, button(text('discard'), { look: 'link' }))}`;
  return page(c, { title: titleOf(found), content }, refused?.status);
}

const delimiterNames: Readonly<Record<string, 'semicolons' | 'commas' | 'tabs' | 'bars'>> = {
  ';': 'semicolons',
  ',': 'commas',
  '\t': 'tabs',
  '|': 'bars',
};

const shortened = (cell: string): string =>
  cell.length > longestValue ? `${cell.slice(0, longestValue)}…` : cell;

function chooser(
  c: ConsoleContext,
  found: Import,
  targets: readonly ImportTarget[],
  index: number,
  refused: Refused | undefined,
): Markup {
  const [language, text] = [c.get('language'), importSay(c.get('language'))];
  const name = `column-${index}`;
  const problem = refused?.beside.get(name);
  const options = targets.map((target) =>
    option(target.path, labelOf(language, target, text), found.mapping[index] === target.path),
  );
  const wrong =
    problem === undefined ? '' : html`<p class="field-problem" id="problem-${name}">${problem}</p>`;
  const described =
    problem === undefined ? '' : html` aria-invalid="true" aria-describedby="problem-${name}"`;
  return html`${wrong}<select name="${name}" aria-label="${text('readAs')}: ${headingOf(c, found, index)}"${described}>${option('', text('leaveOut'), found.mapping[index] === '')}${options}</select>`;
}

const labelOf = (language: keyof Text, target: ImportTarget, text: ReturnType<typeof importSay>): string =>
  isRequired(target) ? text('needed', { label: wordsOf(language, target) }) : wordsOf(language, target);

/** As the console calls it: without the word of programs for an id. */
const wordsOf = (language: keyof Text, { label }: ImportTarget): string =>
  label[language].replace(/(?: –)? UUID$/, '');

function decimalMark(c: ConsoleContext, { decimal_mark }: Import): Markup {
  const text = importSay(c.get('language'));
  const options = [
    option(',', text('comma'), decimal_mark === ','),
    option('.', text('point'), decimal_mark === '.'),
  ];
  return field(
    html`<label for="decimal_mark">${text('decimalMark')}</label>`,
    html`<select id="decimal_mark" name="decimal_mark">${options}</select>`,
  );
}

function matching(
  c: ConsoleContext,
  found: Import,
  targets: readonly ImportTarget[],
  refused: Refused | undefined,
): Markup | string {
  const [language, text] = [c.get('language'), importSay(c.get('language'))];
  const matches = targets.filter(({ path }) => permittedMatches(sessionOf(c), found.kind).includes(path));
  if (matches.length === 0) return '';
  const problem = refused?.beside.get('match_by');
  const options = matches.map((each) =>
    option(each.path, wordsOf(language, each), found.match_by === each.path),
  );
  const label = html`<label for="match_by">${text('matchBy')}</label>${problem === undefined ? '' : html`<p class="field-problem">${problem}</p>`}`;
  const select = html`<select id="match_by" name="match_by" aria-describedby="help-match_by">${option('', text('matchNever'), found.match_by === null)}${options}</select>
<p class="help" id="help-match_by">${text('matchHelp')}</p>`;
  return field(label, select);
}

function shortRows(c: ConsoleContext, { fills_short_rows }: Import, count: number): Markup {
  const said = importSay(c.get('language'))('shortRows', { count: numberOf(c, count) });
  const checked = fills_short_rows ? html` checked` : '';
  return html`<label class="inline"><input type="checkbox" name="fills_short_rows" value="true"${checked}>${said}</label>`;
}

/** Has the rows checked with what was chosen. */
export async function chooseColumns(c: ConsoleContext, found: Import): Promise<Response> {
  const form = await receivedForm(c);
  const choice: ImportChoice = {
    mapping: found.headings
      .slice(0, limits.importColumns)
      .map((_, index) => form.get(`column-${index}`) ?? ''),
    decimal_mark: form.get('decimal_mark') === '.' ? '.' : ',',
    match_by: form.get('match_by') || null,
    fills_short_rows: form.get('fills_short_rows') === 'true',
  };
  try {
    await chooseMapping(c.get('core'), sessionOf(c), found.id, choice);
    return c.redirect(importAddress(found), 303);
  } catch (error) {
    if (!isMendable(error) || error.code !== 'VALIDATION_ERROR') throw error;
    const language = c.get('language');
    const said = error.ofFields.map((each) => [each.path, fieldWords(language, each)] as const);
    const above = said.flatMap(([path, words]) => (path === 'mapping' ? [words] : []));
    return mappingPage(
      c,
      { ...found, ...choice },
      {
        beside: new Map(said),
        above: said.length > 0 ? above : [problemWords(language, error)],
        status: statusOf(error),
      },
    );
  }
}
