import { canBeSeen, resources, type Text, text, unaccentedForm } from '@dealkeep/contract';
import { html } from 'hono/html';
import { isPermitted } from '../auth/permitted.ts';
import type { ConsoleContext } from '../context.ts';
import { type Icon, icon } from '../frame/icons.ts';
import { pagesOf } from '../frame/navigation.ts';
import type { Markup } from '../markup.ts';
import { sayFrom } from '../texts.ts';
import { presentationOf } from './presentation-of.ts';
import { kindOf, recordKinds } from './record-kinds.ts';
import { findRecords, searchedText } from './search-page.ts';
import { recordSay } from './texts.ts';

/** Of records; the page of results has more. */
const mostRecords = 8;
/** Of what can be made and of pages, where something is typed. */
const mostPages = 4;
/** What is offered before anything is typed. */
const mostActions = 6;

const paletteSay = sayFrom({
  results: text('Results', 'Výsledky'),
  make: text('Create', 'Vytvoriť'),
  goTo: text('Go to', 'Prejsť na'),
  everything: text('All results for “{q}”', 'Všetky výsledky pre „{q}“'),
  found: text('Results: {count}. Arrow keys choose one.', 'Výsledky: {count}. Vyberiete šípkami.'),
  notFound: text('Nothing was found.', 'Nič sa nenašlo.'),
} as const satisfies Record<string, Text>);

/** Where an option of the palette leads, and what tells it from others. */
interface Option {
  readonly path: string;
  readonly title: string;
  readonly about?: string | null;
  /** What else it is found by: the name of what is made, whatever form it has in the title. */
  readonly known?: string;
  readonly icon: Icon;
}

interface Group {
  /** Seen above its options; of the last one, which stands for all, it is only read out. */
  readonly label: string;
  readonly isLast?: true;
  readonly options: readonly Option[];
}

/** What fits what is typed so far, as a part of a page: records by their kinds, what can be made, and pages. */
export async function suggestions(c: ConsoleContext): Promise<Response> {
  const words = paletteSay(c.get('language'));
  const q = searchedText(c);
  const typed = canBeSeen(q);
  const groups = [...(typed ? await recordGroups(c, q) : []), ...pageGroups(c, typed ? q : '')];
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);
  const all: Group = {
    label: words('results'),
    isLast: true,
    options: [
      { path: `/search?${new URLSearchParams({ q })}`, title: words('everything', { q }), icon: 'search' },
    ],
  };
  const said = count === 0 ? words('notFound') : words('found', { count });
  return c.html(html`<div role="listbox" id="palette-options" aria-label="${words('results')}" data-said="${typed ? said : ''}">
${[...groups, ...(typed ? [all] : [])].map(groupMarkup)}</div>
${count === 0 ? html`<p class="quiet">${said}</p>` : ''}`);
}

const groupMarkup = ({ label, isLast, options }: Group): Markup =>
  html`<div role="group" aria-label="${label}">${isLast ? '' : html`<p aria-hidden="true">${label}</p>`}${options.map(optionMarkup)}</div>`;

const optionMarkup = ({ path, title, about, icon: drawn }: Option): Markup =>
  html`<a role="option" aria-selected="false" tabindex="-1" href="${path}">${icon(drawn)}<span>${title}</span>${
    about ? html`<span class="quiet">${about}</span>` : ''
  }</a>`;

/** The best records, by kind, that with the best one first. */
async function recordGroups(c: ConsoleContext, q: string): Promise<Group[]> {
  if (!recordKinds.some((kind) => isPermitted(c, kind.resource, kind))) return [];
  const [language, text] = [c.get('language'), recordSay(c.get('language'))];
  const found = (await findRecords(c, { q })).slice(0, mostRecords);
  const groups = Map.groupBy(found, ({ type }) => type);
  return [...groups].flatMap(([type, results]) => {
    const kind = kindOf(type);
    if (!kind) return [];
    const options = results.map(({ title, subtitle, app_url: address }) => ({
      path: new URL(address).pathname,
      title: title || text('unnamed'),
      about: subtitle,
      icon: presentationOf(kind.resource).icon,
    }));
    return [{ label: resources[kind.resource].plural[language], options }];
  });
}

/** What can be made, and where one can go, as far as the role permits; without a term what is made most. */
function pageGroups(c: ConsoleContext, term: string): Group[] {
  const [language, words] = [c.get('language'), paletteSay(c.get('language'))];
  const pages = pagesOf(c);
  const made: Option[] = [
    ...recordKinds.flatMap(({ resource, path, create, createLabel }) =>
      create && isPermitted(c, resource, create)
        ? [
            {
              path: `${path}/new`,
              title: createLabel[language],
              known: resources[resource].label[language],
            },
          ]
        : [],
    ),
    ...pages.flatMap(({ path, makes }) => (makes ? [{ path: `${path}/new`, title: makes[language] }] : [])),
  ].map((option) => ({ ...option, icon: 'plus' }));
  const reached: Option[] = pages.map(({ path, label, icon: drawn }) => ({
    path,
    title: label[language],
    icon: drawn,
  }));
  const fits = fitting(term);
  const groups: Group[] =
    term === ''
      ? [{ label: words('make'), options: made.slice(0, mostActions) }]
      : [
          { label: words('make'), options: made.filter(fits).slice(0, mostPages) },
          { label: words('goTo'), options: reached.filter(fits).slice(0, mostPages) },
        ];
  return groups.filter(({ options }) => options.length > 0);
}

/** Each word of the term begins a word of the title; case and diacritics do not matter. */
function fitting(term: string): (option: Option) => boolean {
  const wanted = wordsOf(term);
  return ({ title, known = '' }) => {
    const words = wordsOf(`${title} ${known}`);
    return wanted.length > 0 && wanted.every((word) => words.some((each) => each.startsWith(word)));
  };
}

const wordsOf = (text: string): string[] =>
  unaccentedForm(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
