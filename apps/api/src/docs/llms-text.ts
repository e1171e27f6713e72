import {
  allScopes,
  apiVersion,
  events,
  type OperationDeclaration,
  resources,
  scopes,
} from '@dealkeep/contract';
import { type Chapter, guide, type Site } from './guide.ts';
import { otherDocuments } from './other-documents.ts';
import { type Section, sections } from './sections.ts';

/** The API in short for language models, as https://llmstxt.org describes it. */
export function llmsText(site: Site): string {
  const { origin } = site;
  const [start, ...chapters] = guide(site);
  const summary = start?.paragraphs[0]?.en ?? '';
  const documents = `${origin}/api/v1/openapi`;
  const openapi = `${documents}/public-v1`;
  const blocks = [
    '# Dealkeep API',
    `> ${summary}`,
    `Version ${apiVersion}. Before writing code, read the OpenAPI description: it is complete and always current.`,
    ...chapters.map(chapterText),
    `Scopes: ${allScopes.map((scope) => `\`${scope}\` (${scopes[scope].en})`).join(', ')}.`,
    [
      '## Descriptions',
      '',
      `- [OpenAPI 3.1, JSON](${openapi}.json): every operation, field, error, scope and event, with examples`,
      `- [OpenAPI 3.1, YAML](${openapi}.yaml): the same`,
      ...otherDocuments.map(({ file, name, about }) => `- [${name}](${documents}/${file}): ${about}`),
      `- [Reference](${origin}/docs?language=en): the same for people, on one page`,
      `- [Error codes](${origin}/docs?language=en#error-codes): every code with its status and messages`,
    ].join('\n'),
    ...sections
      .filter((section) => section.operations.length > 0)
      .map((section) => sectionText(section, origin)),
    ['## Events', '', ...sections.flatMap((section) => eventLines(section, origin))].join('\n'),
    ['## Optional', '', `- [Reference in Slovak](${origin}/docs?language=sk): the same page in Slovak`].join(
      '\n',
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const chapterText = ({ title, paragraphs }: Chapter): string =>
  `**${title.en}.** ${paragraphs.map(({ en }) => en).join(' ')}`;

const sectionText = ({ name, operations }: Section, origin: string): string =>
  [`## ${resources[name].plural.en}`, '', ...operations.map((each) => operationLine(each, origin))].join(
    '\n',
  );

function operationLine(
  { id, method, path, scope, title, about }: OperationDeclaration,
  origin: string,
): string {
  const needs = scope === null ? '' : ` Scope \`${scope}\`.`;
  return `- [${title.en}](${origin}/docs?language=en#${id}): \`${method} ${path}\`. ${about.en}${needs}`;
}

const eventLines = (section: Section, origin: string): string[] =>
  section.events.map(
    (type) =>
      `- [${type}](${origin}/docs?language=en#${type}): ${events[type].description.en} Scope \`${events[type].scope}\`.`,
  );
