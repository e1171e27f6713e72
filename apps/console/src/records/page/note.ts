import { html } from 'hono/html';
import { forgeryField } from '../../auth/forgery.ts';
import { isPermitted } from '../../auth/permitted.ts';
import type { ConsoleContext } from '../../context.ts';
import { countsOnce, versionField } from '../../forms/form-page.ts';
import { alert, button, hiddenField, type Markup } from '../../markup.ts';
import { fieldLabel } from '../../values/field-words.ts';
import { type ShownRecord, textIn } from '../../values/shown-record.ts';
import type { RecordKind } from '../record-kind.ts';
import { pageSay } from './texts.ts';

/** An address of the web inside a text; signs at its end belong to the sentence. */
const address = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/gi;

/** A text that somebody wrote, with the addresses in it as links; all else stays text. */
function linkedText(written: string): Markup {
  const parts: (Markup | string)[] = [];
  let behind = 0;
  for (const found of written.matchAll(address)) {
    const [url] = found;
    parts.push(written.slice(behind, found.index));
    parts.push(html`<a href="${url}" rel="noreferrer noopener">${url}</a>`);
    behind = found.index + url.length;
  }
  parts.push(written.slice(behind));
  return html`${parts}`;
}

/** What was typed as a note and not saved, and why. */
export interface RefusedNote {
  readonly typed: string;
  readonly problems: readonly string[];
}

/** The field that holds what people write down of a record; undefined where nobody can. */
export const noteField = (kind: RecordKind): string | undefined =>
  ['note', 'description'].find((name) =>
    kind.update?.fields.some((field) => field.name === name && field.description?.multiline),
  );

/** The note of a record, large, and changed in place; what was typed stays where it is refused. */
export function noteCard(
  c: ConsoleContext,
  kind: RecordKind,
  record: ShownRecord,
  refused?: RefusedNote,
): Markup | string {
  const name = noteField(kind);
  const field = kind.fields.find((each) => each.name === name);
  if (name === undefined || !field) return '';
  const text = pageSay(c.get('language'));
  const note = textIn(record, name);
  const edits =
    kind.update && typeof record['archived_at'] !== 'string' && isPermitted(c, kind.resource, kind.update);
  if (!edits && note === '') return '';
  const label = fieldLabel(c.get('language'), field);
  const limit = field.maxLength === undefined ? '' : html` maxlength="${field.maxLength}"`;
  const form = html`<form method="post" action="${kind.path}/${textIn(record, kind.idField)}/note">${forgeryField(c)}
${countsOnce()}${hiddenField(versionField, textIn(record, 'updated_at'))}
<label class="visually-hidden" for="note">${label}</label>
<textarea id="note" name="note" rows="5"${limit}>${refused?.typed ?? note}</textarea>${button(text('save'))}</form>`;
  const summary = text(note === '' ? 'writeNote' : 'editNote');
  const editor = html`<details${refused ? html` open` : ''}><summary>${summary}</summary>${form}</details>`;
  return html`<section class="card note"><h2>${label}</h2>${(refused?.problems ?? []).map(alert)}
${note === '' ? '' : html`<p class="written">${linkedText(note)}</p>`}${edits ? editor : ''}</section>`;
}
