import {
  answerExample,
  asciiLowerCase,
  basePath,
  type ErrorCode,
  errorStatus,
  errorsOf,
  type FieldFacts,
  fieldsOf,
  type Language,
  type OperationDeclaration,
  pathParameters,
  requestExample,
} from '@dealkeep/contract';
import { html } from 'hono/html';
import { answerList } from './answer-list.ts';
import { fieldList } from './field-list.ts';
import { codeBlock, jsonBlock, type Markup, prose } from './markup.ts';
import { wordsIn } from './words.ts';

/** Everything about one operation: what it takes, what it answers, and a request to paste. */
export function operationSection(
  declaration: OperationDeclaration,
  origin: string,
  language: Language,
): Markup {
  const say = wordsIn(language);
  const { id, method, path, title, about, scope, query, emits } = declaration;
  const inPath = fieldsOf(pathParameters(declaration));
  const example = answerExample(declaration);
  return html`<article class="operation" id="${id}">
<div class="facts">
<h3><a class="self" href="#${id}">${title[language]}</a></h3>
<p class="route"><span class="method ${asciiLowerCase(method)}">${method}</span> <code>${path}</code></p>
<p>${prose(about[language])}</p>
<p class="scope">${say('scope')}: ${scope ? html`<code>${scope}</code>` : say('anyScope')}. ${declaration.refusesLegacyKeys && say('noLegacyKeys')}</p>
${inPath.length > 0 && html`<h4>${say('pathParameters')}</h4>${fieldList(inPath, 'sent', language)}`}
${query && html`<h4>${say('queryParameters')}</h4>${fieldList(fieldsOf(query), 'sent', language)}`}
${bodySection(declaration, language)}
<h4>${say('answer')}</h4>
${answerList(declaration, language)}
${emits && html`<h4>${say('emits')}</h4><p>${emits.map((type) => html`<a href="#${type}"><code>${type}</code></a> `)}</p>`}
<h4>${say('errors')}</h4>
${errors(errorsOf(declaration))}
</div>
<div class="examples">
<h4>${say('request')}</h4>
${codeBlock(curlLine(declaration, origin))}
${example !== undefined && html`<h4>${say('answer')} ${declaration.statuses[0]}</h4>${jsonBlock(example, say('example'))}`}
</div>
</article>`;
}

function bodySection(declaration: OperationDeclaration, language: Language): Markup | undefined {
  if (!declaration.body) return undefined;
  const say = wordsIn(language);
  const fields = fieldsOf(declaration.body);
  const optional = declaration.method === 'POST' && !fields.some(({ required }) => required);
  return html`<h4>${say('body')}</h4>${optional && html`<p>${say('noFieldRequired')}</p>`}
${fieldList(fields, 'sent', language)}`;
}

function errors(codes: readonly ErrorCode[]): Markup {
  const byStatus = [...Map.groupBy(codes, (code) => errorStatus[code])].sort(([a], [b]) => a - b);
  return html`<ul class="plain">
${byStatus.map(
  ([status, those]) =>
    html`<li><code>${status}</code> ${those.map((code) => html`<a href="#${code}"><code>${code}</code></a> `)}</li>\n`,
)}</ul>`;
}

/** A command that calls an operation with its example, for a POSIX shell that holds the key in DEALKEEP_KEY. */
function curlLine(declaration: OperationDeclaration, origin: string): string {
  const { method, path, query } = declaration;
  const examples = new Map(fieldsOf(pathParameters(declaration)).map(withExample));
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => examples.get(name) ?? whole);
  const asked = query ? fieldsOf(query).filter(({ required }) => required) : [];
  const search = asked.length > 0 ? `?${new URLSearchParams(asked.map(withExample))}` : '';
  const body = requestExample(declaration);
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${origin}${basePath}${filled}${search}`)}`,
    '-H "Authorization: Bearer $DEALKEEP_KEY"',
  ];
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`);
  }
  return parts.join(' \\\n  ');
}

const withExample = ({ name, description }: FieldFacts): [string, string] => [
  name,
  String(description?.example),
];

/** Text in single quotes, as a POSIX shell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
