import { html } from 'hono/html';

/** Escaped HTML; nested values are escaped unless they are markup themselves. */
export type Markup = ReturnType<typeof html>;

type Content = Markup | string | number;

/** How something is coloured, besides being said. */
export type Tone = 'good' | 'bad' | 'warning' | 'info';

/** Beside what matters. */
export const quiet = (said: Content): Markup => html`<span class="quiet">${said}</span>`;

/** Read out, and not seen: which of many buttons of one name this is. */
export const unseen = (said: Content): Markup => html`<span class="visually-hidden">${said}</span>`;

export const badge = (said: Content, tone?: Tone): Markup =>
  html`<span class="badge${tone ? ` ${tone}` : ''}">${said}</span>`;

interface Button {
  readonly look?: 'secondary' | 'danger' | 'link' | undefined;
  readonly name?: string;
  readonly value?: string;
  readonly title?: string;
  /** Sends the form whatever the browser thinks of it. */
  readonly unchecked?: boolean;
}

export function button(said: Content, { look, name, value, title, unchecked }: Button = {}): Markup {
  const attributes = Object.entries({ class: look, name, value, title }).map(([attribute, held]) =>
    held === undefined ? '' : html` ${attribute}="${held}"`,
  );
  return html`<button${attributes}${unchecked ? html` formnovalidate` : ''}>${said}</button>`;
}

/** A link that looks like a button. */
export const linkButton = (address: string, said: Content, look?: 'secondary'): Markup =>
  html`<a class="button${look ? ` ${look}` : ''}" href="${address}">${said}</a>`;

export const choices = (...shown: (Content | Markup[])[]): Markup =>
  html`<div class="choices">${shown}</div>`;

export const hiddenField = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** A control with its label above it. */
export const field = (label: Markup, control: Content): Markup =>
  html`<div class="field">${label}${control}</div>`;

export const option = (value: string, shown: string, chosen = false): Markup =>
  html`<option value="${value}"${chosen ? html` selected` : ''}>${shown}</option>`;

/** The way up, above a heading. */
export const trail = (address: string, said: string): Markup =>
  html`<p class="trail"><a href="${address}">${said}</a></p>`;

/** The heading of a page, with what can be done beside it. */
export const bar = (title: Content, beside: Content = ''): Markup =>
  html`<div class="bar"><h1>${title}</h1>${beside}</div>`;

/** A part of a page that is read out by a name which is not seen. */
export const card = (label: string, content: Content): Markup =>
  html`<section class="card" aria-label="${label}">${content}</section>`;

/** What is not sent at the moment, why, and what whoever holds it back said. */
export const heldNotice = (title: string, why: string, said: string): Markup =>
  html`<div class="held" role="status"><p><strong>${title}</strong> ${why}${said === '' ? '' : ` ${said}`}</p></div>`;

/** What is shown where there is nothing: why, and what to do about it. */
export const emptyState = (
  about: Content,
  { title, more, steps }: { title?: string; more?: string; steps?: Content } = {},
): Markup =>
  html`<div class="card empty">${title === undefined ? '' : html`<h2>${title}</h2>`}<p>${about}</p>${
    more === undefined ? '' : html`<p class="quiet">${more}</p>`
  }${steps === undefined ? '' : html`<p class="choices centered">${steps}</p>`}</div>`;

export const bulletList = (items: readonly Content[]): Markup =>
  html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** Shown when somebody asks for it. */
export const folded = (summary: Content, content: Content): Markup =>
  html`<details><summary>${summary}</summary>${content}</details>`;

/** What was refused, and why. */
export const alert = (sentence: string): Markup => html`<p class="problem" role="alert">${sentence}</p>`;

/** A column of a table. The first one says which row it is. */
export interface Column<Row> {
  readonly label: string;
  /** More than the label stands in the heading, such as a link that sorts. */
  readonly heading?: Markup;
  readonly sorted?: 'ascending' | 'descending' | undefined;
  readonly cell: (row: Row, index: number) => Content;
  /** Numbers and actions stand to the right; the heading of actions and of steps is only read out. */
  readonly holds?: 'number' | 'actions' | 'steps' | undefined;
  /** How much room it takes where each row has one line; columns that say nothing share what is left. */
  readonly width?: ColumnWidth | undefined;
  /** What the cell says as a whole, for whoever hovers over one that is cut off. */
  readonly whole?: (row: Row) => string;
}

export type ColumnWidth = 'name' | 'number' | 'day' | 'moment' | 'word' | 'words';

/** Rows below headings. Where there is no room for columns, each value stands beside the label of its column. */
export const table = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Markup =>
  html`<div class="scroll">${plainTable(columns, rows)}</div>`;

/** The same with one line a row, however long the texts are: many rows at a glance. */
export const denseTable = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Markup =>
  html`<div class="scroll dense">${plainTable(columns, rows)}</div>`;

/** The same inside of something that has a frame already. */
export const plainTable = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Markup =>
  html`<table><thead><tr>${columns.map(headingOf)}</tr></thead>
<tbody>${rows.map((row, index) => html`<tr>${columns.map((column, at) => cellOf(column, row, { index, at }))}</tr>`)}</tbody></table>`;

function headingOf<Row>({ label, heading, sorted, holds, width }: Column<Row>): Markup {
  const said = holds === 'steps' || holds === 'actions' ? unseen(label) : (heading ?? label);
  const order = sorted ? html` aria-sort="${sorted}"` : '';
  return html`<th scope="col"${looks(holds, width)}${order}>${said}</th>`;
}

function cellOf<Row>(
  { label, cell, holds, whole }: Column<Row>,
  row: Row,
  { index, at }: { index: number; at: number },
): Markup {
  const shown = cell(row, index);
  const said = whole?.(row) ?? '';
  const hover = said === '' ? '' : html` title="${said}"`;
  if (at === 0) return html`<th scope="row"${hover}>${shown}</th>`;
  if (holds === 'steps') return html`<td>${shown}</td>`;
  if (holds === 'actions') return html`<td class="actions">${shown}</td>`;
  return html`<td${looks(holds)}${hover} data-label="${label}">${shown}</td>`;
}

/** Numbers stand to the right, in the heading as below it. */
function looks(holds: Column<unknown>['holds'], width?: ColumnWidth): Markup | string {
  const classes = [holds === 'number' ? 'number' : '', width ? `w-${width}` : ''].filter(
    (each) => each !== '',
  );
  return classes.length > 0 ? html` class="${classes.join(' ')}"` : '';
}

/** What it is called, and what is known of it; one of which nothing is known is left out. */
export type Fact = readonly [label: string, value: Markup | string | undefined, look?: 'wide' | undefined];

/** Facts about one thing, each with its label above it. */
export const factList = (facts: readonly Fact[]): Markup =>
  html`<dl>${facts
    .filter(([, value]) => value !== undefined && value !== '')
    .map(
      ([label, value, look]) =>
        html`<div${look ? html` class="${look}"` : ''}><dt>${label}</dt><dd>${value}</dd></div>`,
    )}</dl>`;
