import {
  type EventDeclaration,
  type EventType,
  events,
  exampleOrganization,
  type Language,
  resources,
  sampleEnvelope,
} from '@dealkeep/contract';
import { html } from 'hono/html';
import { jsonBlock, type Markup } from './markup.ts';
import { sections } from './sections.ts';
import { wordsIn } from './words.ts';

/** Every event with its scope and a sample of its delivery, by resource. */
export const eventCatalog = (language: Language): Markup =>
  html`${sections
    .filter((section) => section.events.length > 0)
    .map(
      (section) => html`<h3>${resources[section.name].plural[language]}</h3>
${section.events.map((type) => eventEntry(type, language))}`,
    )}`;

function eventEntry(type: EventType, language: Language): Markup {
  const say = wordsIn(language);
  const { label, description, scope, entity, watchable }: EventDeclaration = events[type];
  return html`<article class="event" id="${type}">
<h4><a class="self" href="#${type}"><code>${type}</code></a> <span class="note">${label[language]}</span></h4>
<p>${description[language]} ${say('dataIs')} <a href="#${entity}.record">${resources[entity].label[language]}</a>.
${say('scope')}: <code>${scope}</code>.${watchable && html` ${say('changedFields')} <code>changed_fields</code>: ${watchable.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}.`}</p>
<details><summary>${say('sample')}</summary>${jsonBlock(sampleEnvelope(type, exampleOrganization), type)}</details>
</article>
`;
}
