import {
  type ErrorCode,
  errorStatus,
  exampleOfError,
  fieldCode,
  type Language,
  type MessageKey,
  message,
  messages,
  scopes,
} from '@dealkeep/contract';
import { html } from 'hono/html';
import { jsonBlock, type Markup } from './markup.ts';
import { wordsIn } from './words.ts';

const fieldGroup = 'field.';
const messageKeys = Object.keys(messages) as MessageKey[];

/** Every scope in plain words. */
export const scopeTable = (language: Language): Markup => html`<table>
<tbody>
${Object.entries(scopes).map(([scope, text]) => html`<tr><th scope="row"><code>${scope}</code></th><td>${text[language]}</td></tr>\n`)}</tbody>
</table>`;

/** Every error code with its status and the messages that it comes with. */
export function errorTable(language: Language): Markup {
  const say = wordsIn(language);
  return html`<table>
<thead><tr><th scope="col">${say('code')}</th><th scope="col">${say('status')}</th><th scope="col">${say('meaning')}</th></tr></thead>
<tbody>
${Object.entries(errorStatus).map(([code, status]) => {
  const said = messagesOf(code, language);
  return said.length > 0 && errorRow(code, status, said);
})}</tbody>
</table>`;
}

const errorRow = (code: string, status: number, said: readonly string[]): Markup =>
  html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${said.map((each) => html`<p>${each}</p>`)}</td></tr>
`;

/** A code without a message is one that nothing can raise yet. */
const messagesOf = (code: string, language: Language): string[] =>
  Object.entries(messages)
    .filter(([key, entry]) => entry.code === code && !key.startsWith(fieldGroup))
    .map(([, entry]) => entry[language]);

/** What `detail.fields[].code` of a VALIDATION_ERROR can say. */
export function fieldCodeTable(language: Language): Markup {
  const say = wordsIn(language);
  const codes = messageKeys
    .filter((key) => key.startsWith(fieldGroup) || ofWebhooks.has(messages[key].code))
    .map((key) => [fieldCode(key), messages[key][language]]);
  return html`<table>
<thead><tr><th scope="col">${say('code')}</th><th scope="col">${say('meaning')}</th></tr></thead>
<tbody>
${[...codes, ['conflict', say('conflictingField')]].map(([code, meaning]) => html`<tr><th scope="row"><code>${code}</code></th><td>${meaning}</td></tr>\n`)}</tbody>
</table>`;
}

/** Codes that a webhook's field has alone; beside others it is one of the failing fields. */
const ofWebhooks = new Set<ErrorCode>(['UNKNOWN_EVENT', 'WEBHOOK_URL_INVALID', 'WEBHOOK_URL_BLOCKED']);

/** How an error with failing fields looks. */
export const errorExample = (language: Language): Markup =>
  jsonBlock(
    {
      error: {
        code: 'VALIDATION_ERROR',
        message: message('fields.invalid', language, { fields: 'value' }),
        detail: {
          fields: [{ path: 'value', code: 'required', message: message('field.required', language) }],
        },
        ...exampleOfError('VALIDATION_ERROR'),
      },
    },
    'VALIDATION_ERROR',
  );
