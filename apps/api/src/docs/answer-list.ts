import {
  type FieldFacts,
  fieldsOf,
  type Language,
  type OperationDeclaration,
  resources,
} from '@dealkeep/contract';
import { html } from 'hono/html';
import { fieldList } from './field-list.ts';
import type { Markup } from './markup.ts';
import { wordsIn } from './words.ts';

/** What an operation answers by status: the record of its resource, or how the answer differs from it. */
export function answerList(declaration: OperationDeclaration, language: Language): Markup {
  const say = wordsIn(language);
  const { shape, statuses, existingFlag } = declaration;
  const { shown, more, missing } = comparedWithRecord(declaration);
  const record = shown ? html`<a href="#${declaration.resource}.record">${say('record')}</a>` : say('these');
  const without =
    missing.length > 0 && html` (${say('without')} ${missing.map((name) => html`<code>${name}</code> `)})`;
  const what = {
    record,
    list: html`${say('list')} ${record}`,
    bare: html`<a href="#receiving-events">${say('bare')}</a>`,
    nothing: say('empty'),
  }[shape];
  return html`<ul class="plain">
${statuses.map(
  (status, index) =>
    html`<li><code>${status}</code> ${what}${without}${index > 0 && existingFlag && html` (<code>${existingFlag}: true</code>)`}</li>\n`,
)}</ul>${more.length > 0 && html`${shown && html`<p>${say('besides')}</p>`}${fieldList(more, 'received', language)}`}`;
}

/** Fields that the answer has more or less than the record; `shown` when it is that record at all. */
function comparedWithRecord({ answer, resource }: OperationDeclaration) {
  const record = Object.entries(resources).find(([name]) => name === resource)?.[1];
  const own = answer ? fieldsOf(answer) : [];
  if (!record || own.length === 0) return { shown: true, more: [], missing: [] };
  const whole = fieldsOf(record.schema);
  const lacks = (fields: readonly FieldFacts[], name: string) => !fields.some((each) => each.name === name);
  const missing = whole.map(({ name }) => name).filter((name) => lacks(own, name));
  const shown = missing.length < whole.length;
  return {
    shown,
    more: own.filter(({ name }) => lacks(whole, name)),
    missing: shown ? missing : [],
  };
}
