import {
  apiVersion,
  asciiLowerCase,
  type EventType,
  events,
  exampleOrganization,
  fieldsOf,
  filtersOfEvent,
  type Language,
  type OperationDeclaration,
  resources,
  sampleEnvelope,
  watchableFields,
} from '@dealkeep/contract';
import { html, raw } from 'hono/html';
import { errorExample, errorTable, fieldCodeTable, scopeTable } from './code-tables.ts';
import { fieldList } from './field-list.ts';
import { type Chapter, guide, type Site } from './guide.ts';
import { codeBlock, jsonBlock, type Markup, prose } from './markup.ts';
import { operationSection } from './operation-section.ts';
import { otherDocuments } from './other-documents.ts';
import { type Section, sections } from './sections.ts';
import { wordsIn } from './words.ts';

/** The whole reference as one page: it needs no JavaScript, and the browser's search finds everything. */
export async function referencePage(site: Site, language: Language, style: string): Promise<string> {
  const say = wordsIn(language);
  const { origin } = site;
  const chapters = guide(site);
  const other = language === 'en' ? 'sk' : 'en';
  return String(
    await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${say('title')}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${chapters[0]?.paragraphs[0]?.[language].replaceAll('`', '')}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="alternate" type="application/json" href="${origin}/api/v1/openapi/public-v1.json">
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#content">${say('skip')}</a>
<header class="top">
<a class="brand" href="#content">Dealkeep <span>API</span></a>
<a class="to-contents" href="#contents">${say('contents')}</a>
<a lang="${other}" hreflang="${other}" href="?language=${other}">${say('otherLanguage')}</a>
</header>
<nav id="contents" aria-label="${say('contents')}">${contents(chapters, language)}</nav>
<main id="content">
<h1>${say('title')}</h1>
<p class="quiet">${say('version')} <code>${apiVersion}</code> · ${say('description')}: <a href="/api/v1/openapi/public-v1.yaml">YAML</a>, <a href="/api/v1/openapi/public-v1.json">JSON</a> · ${otherDocuments.map(({ file, name }) => html`<a href="/api/v1/openapi/${file}">${name}</a> · `)}<a href="/llms.txt">llms.txt</a></p>
${chapters.map((chapter) => chapterSection(chapter, language))}
${table('scopes', say('scopes'), scopeTable(language))}
${table('error-codes', say('errorCodes'), html`${errorExample(language)}${errorTable(language)}`)}
${table('field-codes', say('fieldCodes'), fieldCodeTable(language))}
${sections.map((section) => resourceSection(section, origin, language))}
${table('events', say('events'), eventCatalog(language))}
</main>
</body>
</html>
`,
  );
}

function chapterSection({ id, title, paragraphs, code }: Chapter, language: Language): Markup {
  return html`<section class="chapter" id="${id}">
<h2><a class="self" href="#${id}">${title[language]}</a></h2>
${paragraphs.map((each) => html`<p>${prose(each[language])}</p>\n`)}${code !== undefined && codeBlock(code)}
</section>
`;
}

const table = (
  id: string,
  title: string,
  content: Markup,
): Markup => html`<section class="chapter" id="${id}">
<h2><a class="self" href="#${id}">${title}</a></h2>
${content}
</section>
`;

function contents(chapters: readonly Chapter[], language: Language): Markup {
  const say = wordsIn(language);
  const item = (id: string, title: string) => html`<li><a href="#${id}">${title}</a></li>\n`;
  return html`<h2>${say('guide')}</h2>
<ul>
${chapters.map(({ id, title }) => item(id, title[language]))}${item('scopes', say('scopes'))}${item('error-codes', say('errorCodes'))}${item('field-codes', say('fieldCodes'))}${item('events', say('events'))}</ul>
<h2>${say('reference')}</h2>
<ul>
${sections.map(
  ({ name, operations }) => html`<li><a href="#${name}">${resources[name].plural[language]}</a>
${operations.length > 1 && html`<ul>${operations.map((each) => operationItem(each, language))}</ul>`}</li>
`,
)}</ul>`;
}

const operationItem = ({ id, method, title }: OperationDeclaration, language: Language): Markup =>
  html`<li><a href="#${id}"><span class="method ${asciiLowerCase(method)}">${method}</span> ${title[language]}</a></li>\n`;

/** A resource: the fields of its record, then its operations. */
function resourceSection(section: Section, origin: string, language: Language): Markup {
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

/** Every event with its scope and a sample of its delivery, by resource. */
const eventCatalog = (language: Language): Markup =>
  html`${sections
    .filter((section) => section.events.length > 0)
    .map(
      (section) => html`<h3>${resources[section.name].plural[language]}</h3>
${section.events.map((type) => eventEntry(type, language))}`,
    )}`;

const names = (all: readonly string[]): Markup[] =>
  all.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`);

function eventEntry(type: EventType, language: Language): Markup {
  const say = wordsIn(language);
  const { label, description, scope, entity } = events[type];
  const watchable = watchableFields(type);
  const filters = Object.keys(filtersOfEvent(type));
  return html`<article class="event" id="${type}">
<h4><a class="self" href="#${type}"><code>${type}</code></a> <span class="note">${label[language]}</span></h4>
<p>${description[language]} ${say('dataIs')} <a href="#${entity}.record">${resources[entity].label[language]}</a>.
${say('scope')}: <code>${scope}</code>.${watchable.length > 0 && html` ${say('changedFields')} <code>changed_fields</code>: ${names(watchable)}.`}${filters.length > 0 && html` ${say('filteredBy')}: ${names(filters)}.`}</p>
<details><summary>${say('sample')}</summary>${jsonBlock(sampleEnvelope(type, exampleOrganization), type)}</details>
</article>
`;
}
