import { fieldsOf, type Language, resources } from '@dealkeep/contract';
import { html } from 'hono/html';
import { fieldList } from './field-list.ts';
import type { Markup } from './markup.ts';
import { operationSection } from './operation-section.ts';
import type { Section } from './sections.ts';
import { wordsIn } from './words.ts';

/** A resource: the fields of its record, then its operations. */
export function resourceSection(section: Section, origin: string, language: Language): Markup {
  const say = wordsIn(language);
  const { plural, schema } = resources[section.name];
  const { name } = section;
  return html`<section class="resource" id="${name}" aria-labelledby="${name}.title">
<h2 id="${name}.title"><a class="self" href="#${name}">${plural[language]}</a></h2>
<details class="record"><summary>${say('record')}</summary>
<div id="${name}.record">${fieldList(fieldsOf(schema), 'received', language)}</div></details>
${section.events.length > 0 && html`<p class="causes">${say('emits')}: ${section.events.map((type) => html`<a href="#${type}"><code>${type}</code></a> `)}</p>`}
${section.operations.map((declaration) => operationSection(declaration, origin, language))}
</section>`;
}
