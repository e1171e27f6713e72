import {
  type FieldFacts,
  fieldsOf,
  type Language,
  type OperationDeclaration,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import { html } from 'hono/html';
import { fieldList } from './field-list.ts';
import type { Markup } from './markup.ts';
import { wordsIn } from './words.ts';

/** What an operation answers by status: the record of its resource, or how the answer differs from it. */
export function answerList(declaration: OperationDeclaration, language: Language): Markup {
  const say = wordsIn(language);
  const { shape, statuses, existingFlag, existingAs = true } = declaration;
  const { name, more, missing } = comparedWithRecord(declaration);
  const label = name && resources[name][shape === 'list' ? 'plural' : 'label'][language];
  const record = name ? html`<a href="#${name}.record">${label}</a>` : say('these');
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
    html`<li><code>${status}</code> ${what}${without}${index > 0 && existingFlag && html` (<code>${existingFlag}: ${existingAs}</code>)`}</li>\n`,
)}</ul>${more.length > 0 && html`${name && html`<p>${say('besides')}</p>`}${fieldList(more, 'received', language)}`}`;
}

/** Fields that the answer has more or less than the record; no `name` when it is no such record at all. */
function comparedWithRecord({ answer, resource }: OperationDeclaration) {
  const name = resourceNames.find((each) => each === resource);
  const own = answer ? fieldsOf(answer) : [];
  if (!name || own.length === 0) return { name, more: [], missing: [] };
  const whole = fieldsOf(resources[name].schema);
  const lacks = (fields: readonly FieldFacts[], field: string) => !fields.some((each) => each.name === field);
  const missing = whole.map((each) => each.name).filter((each) => lacks(own, each));
  const more = own.filter((each) => lacks(whole, each.name));
  return missing.length < whole.length ? { name, more, missing } : { name: undefined, more, missing: [] };
}
