import * as z from 'zod';
import { type ErrorCode, errorStatus } from '../errors.ts';
import { descriptionOf } from '../field.ts';
import { type MessageKey, message, messages } from '../messages.ts';
import { errorsOf, type OperationDeclaration, permissionsOf, takesIfNoneMatch } from '../operation.ts';
import { operations } from '../operations.ts';
import { recordNames, reducedFormOf, unreadScopeOf } from '../reduced-form.ts';
import { scopePermissions } from '../role-permissions.ts';
import type { Scope } from '../scopes.ts';
import { type Text, text } from '../text.ts';
import { bareExample, pageExample, recordExample } from './examples.ts';
import { exampleOfError, type responseHeaders } from './parts.ts';
import type { JsonSchema, SchemaWriter } from './schema.ts';

type HeaderName = keyof typeof responseHeaders;

/** Every answer of an operation: its successes, and its errors gathered by their status. */
export const responsesOf = (declaration: OperationDeclaration, writer: SchemaWriter): JsonSchema => ({
  ...successes(declaration, writer),
  ...failures(declaration),
});

const everywhere: readonly HeaderName[] = [
  'X-Service-Api-Version',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

const headers = (...names: readonly HeaderName[]): JsonSchema =>
  Object.fromEntries(
    [...everywhere, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

function successes(declaration: OperationDeclaration, writer: SchemaWriter): JsonSchema {
  const common: HeaderName[] = [];
  if (declaration.method === 'POST') common.push('Idempotent-Replayed');
  if (declaration.noStore) common.push('Cache-Control');
  if (declaration.shape === 'record') common.push('ETag');
  const unchanged = {
    ...described(text('Not modified: If-None-Match names it', 'Nezmenené: uvádza ho If-None-Match')),
    headers: headers('ETag'),
  };
  const answered = Object.fromEntries(
    declaration.statuses.map((status, index) => {
      const own: HeaderName[] = status === 201 ? [...common, 'Location'] : common;
      const content = successContent(declaration, writer, index > 0);
      const response = { headers: headers(...own), ...(content ? { content } : {}) };
      return [status, { ...described(successText(declaration, status, index > 0)), ...response }];
    }),
  );
  return takesIfNoneMatch(declaration) ? { ...answered, 304: unchanged } : answered;
}

const successTexts: Readonly<Record<OperationDeclaration['statuses'][number], Text>> = {
  200: text('Success', 'Úspech'),
  201: text('Created', 'Vytvorené'),
  204: text('Deleted', 'Zmazané'),
};

/** What succeeded, and what of the record is answered to whoever may write it and not read it. */
function successText(
  declaration: OperationDeclaration,
  status: OperationDeclaration['statuses'][number],
  existing: boolean,
): Text {
  const done = successTexts[status];
  const { kind, existingFlag } = declaration;
  const read = unreadScopeOf(declaration);
  if (read === undefined) return done;
  const [views] = scopePermissions[read] ?? [];
  if (kind === 'batch') {
    return text(
      `${done.en}. To a credential without ${read}, or a connection whose role lacks ${views} for all records, a record that an item made is answered without other records in it, and of one that it updated only id, app_url and the fields that were sent.`,
      `${done.sk}. Prístupu bez ${read} alebo pripojeniu, ktorého rola nemá ${views} pre všetky záznamy, sa záznam, ktorý položka vytvorila, vráti bez iných záznamov v ňom a z upraveného len id, app_url a poslané polia.`,
    );
  }
  const shown = existing
    ? text(`only its id, app_url and ${existingFlag}`, `len jeho id, app_url a ${existingFlag}`)
    : kind === 'create'
      ? text('without other records in it', 'bez iných záznamov v ňom')
      : text('only its id, app_url and the fields that were sent', 'len jeho id, app_url a poslané polia');
  return text(
    `${done.en}. To a credential without ${read}, or a connection whose role lacks ${views} for all records, the record is answered ${shown.en}.`,
    `${done.sk}. Prístupu bez ${read} alebo pripojeniu, ktorého rola nemá ${views} pre všetky záznamy, sa z neho vráti ${shown.sk}.`,
  );
}

const described = (about: Text): JsonSchema => ({ description: about.en, 'x-sk-description': about.sk });

/** @param existing the answer to a creation that found an existing record */
function successContent(
  declaration: OperationDeclaration,
  writer: SchemaWriter,
  existing: boolean,
): JsonSchema | undefined {
  const { answer, shape, existingFlag, existingAs, endless } = declaration;
  if (!answer) return undefined;
  const unread = unreadScopeOf(declaration);
  const schema =
    unread && answer instanceof z.ZodObject
      ? wholeOrReduced(answer, unread, declaration, writer)
      : writer.write(answer, 'output');
  const record = recordExample(answer);
  if (shape === 'bare') {
    return { 'application/json': { schema, example: bareExample(answer) } };
  }
  if (shape === 'list') {
    const example = pageExample(record, endless);
    return { 'application/json': { schema: listSchema(schema, endless), example } };
  }
  const data = existing && existingFlag ? { ...Object(record), [existingFlag]: existingAs ?? true } : record;
  const wrapped = { type: 'object', properties: { data: schema }, required: ['data'] };
  return { 'application/json': { schema: wrapped, example: { data } } };
}

/** The record, or its reduced form; of a batch, in each of its results. */
function wholeOrReduced(
  answer: z.ZodObject,
  unread: Scope,
  declaration: OperationDeclaration,
  writer: SchemaWriter,
): JsonSchema {
  const written = writer.write(answer, 'output');
  if (declaration.kind !== 'batch') return { oneOf: [written, writeReduced(answer, unread, writer)] };
  const [result, record] = resultOf(answer, declaration);
  const { properties } = writer.components[result] ?? {};
  const { $ref, anyOf, ...about }: JsonSchema = Object(Object(properties)['data']);
  const reduced = writeReduced(record, unread, writer);
  const forms = Array.isArray(anyOf) ? { anyOf: [...anyOf, reduced] } : { oneOf: [{ $ref }, reduced] };
  Object.assign(Object(properties), { data: { ...about, ...forms } });
  return written;
}

/** What the results of a batch are called, and the record that one of a creation or an update holds. */
function resultOf(answer: z.ZodObject, { id, batches }: OperationDeclaration): [string, z.ZodObject] {
  const { data } = answer.shape;
  const name = data instanceof z.ZodArray ? descriptionOf(data.element)?.id : undefined;
  const create = Object.values<OperationDeclaration>(operations).find(
    (each) => each.id === batches?.['create'],
  );
  if (!name || !(create?.answer instanceof z.ZodObject)) throw new Error(`${id} answers no named results`);
  return [name, create.answer];
}

/**
 * The reduced form of a record. What is whole is not of that form, so that an answer is of one form alone; its
 * example says no more than what names the record.
 */
function writeReduced(record: z.ZodObject, unread: Scope, writer: SchemaWriter): JsonSchema {
  const form = reducedFormOf(record, unread);
  const reference = writer.write(form, 'output');
  const named = Object.entries(Object(recordExample(record))).filter(([name]) => recordNames.includes(name));
  Object.assign(writer.components[descriptionOf(form)?.id ?? ''] ?? {}, {
    examples: [Object.fromEntries(named)],
    not: writer.write(record, 'output'),
  });
  return { ...reference, 'x-without-scope': unread };
}

const listSchema = (item: JsonSchema, endless = false): JsonSchema => ({
  type: 'object',
  properties: {
    data: { type: 'array', items: item },
    next_cursor: {
      type: endless ? 'string' : ['string', 'null'],
      ...described(
        endless
          ? text(
              'cursor to go on with, now or later; also on an empty page',
              'cursor, s ktorým pokračovať, teraz alebo neskôr; aj na prázdnej stránke',
            )
          : text('cursor of the next page; null on the last one', 'cursor ďalšej stránky; na poslednej null'),
      ),
    },
    has_more: { type: 'boolean' },
  },
  required: ['data', 'next_cursor', 'has_more'],
});

/** Headers that errors of a status carry besides. */
const ofStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function failures(declaration: OperationDeclaration): JsonSchema {
  const byStatus = Map.groupBy(errorsOf(declaration), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        ...described(failureText(declaration, status, codes)),
        headers: headers(
          'Content-Language',
          'Vary',
          ...(ofStatus[status] ?? []),
          ...(codes.includes('IDEMPOTENCY_IN_PROGRESS') ? (['Retry-After'] as const) : []),
        ),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: errorExample(code, declaration) }]),
            ),
          },
        },
      },
    ]),
  );
}

/** What an error of a status means, in the words of rule errors 3, and its codes. */
const meanings: Readonly<Record<number, Text>> = {
  400: text('The request is malformed', 'Požiadavka je chybná'),
  401: text(
    'The key or token is missing, invalid, expired or revoked, or of the wrong environment',
    'Kľúč alebo token chýba, je neplatný, vypršal, bol zrušený alebo patrí do iného prostredia',
  ),
  402: text('The subscription of the organization is not active', 'Predplatné organizácie nie je aktívne'),
  404: text('The organization has no such record', 'Organizácia taký záznam nemá'),
  409: text('The state of the record does not allow it', 'Stav záznamu to nedovoľuje'),
  412: text(
    'The record is no longer the one that If-Match names',
    'Záznam už nie je ten, ktorý uvádza If-Match',
  ),
  422: text(
    'The request is well-formed, but cannot be processed',
    'Požiadavka je v poriadku, no nemožno ju spracovať',
  ),
  429: text('Too many requests', 'Priveľa požiadaviek'),
  500: text('A fault of the service', 'Chyba služby'),
  503: text('A temporary failure of the service', 'Dočasný výpadok služby'),
};

function failureText(declaration: OperationDeclaration, status: number, codes: readonly ErrorCode[]): Text {
  const meaning = status === 403 ? refusal(declaration) : meanings[status];
  if (!meaning) throw new Error(`Nothing says what the status ${status} means`);
  return text(`${meaning.en} (${codes.join(', ')}).`, `${meaning.sk} (${codes.join(', ')}).`);
}

/** What an operation asks of a credential and of the role behind a connection. */
function refusal(declaration: OperationDeclaration): Text {
  const { scope, alsoScope, refusesLegacyKeys } = declaration;
  const scopes = [scope, alsoScope].filter((each) => each);
  const needed = permissionsOf(declaration);
  const legacy = refusesLegacyKeys
    ? text(', or is a legacy key', ' alebo ide o kľúč staršieho druhu')
    : text('', '');
  const role =
    needed.length > 0
      ? text(
          `, or the role of the connecting person lacks ${needed.join(' and ')} for all records`,
          ` alebo rola pripojeného človeka nemá pre všetky záznamy ${needed.join(' a ')}`,
        )
      : declaration.errors.includes('ROLE_PERMISSION_MISSING')
        ? text(
            ', or the scope or role permission that reading one of the events needs',
            ' alebo to, čo treba na čítanie niektorej z udalostí',
          )
        : text('', '');
  if (scope === null) {
    return text(
      'The credential, or the role behind a connection, may not read one of the types',
      'Prístup alebo rola za pripojením nesmie čítať niektorý z typov',
    );
  }
  return text(
    `The credential lacks the scope ${scopes.join(' or ')}${legacy.en}${role.en}`,
    `Prístupu chýba oprávnenie ${scopes.join(' alebo ')}${legacy.sk}${role.sk}`,
  );
}

const messageKeys = Object.keys(messages).filter((key): key is MessageKey => key in messages);

/** What an error of this code looks like in this operation, by the first message that has it. */
function errorExample(code: ErrorCode, declaration: OperationDeclaration): JsonSchema {
  const key = messageKeys.find((each) => messages[each].code === code);
  if (!key) throw new Error(`No message has the code ${code}`);
  const detail = details[code];
  const values = {
    parameter: 'limit',
    reason: message('field.too_small', 'en', { min: 1 }),
    ...exampleValues,
    scope: declaration.scope ?? 'leads:read',
    // A hook needs what reading its events needs.
    permission: permissionsOf(declaration)[0] ?? 'leads.view',
  };
  const told = { code, message: message(key, 'en', values), ...(detail ? { detail } : {}) };
  return { error: { ...told, ...exampleOfError(code) } };
}

const exampleValues = { seconds: 12, max: 50, fields: 'value', event: 'lead.exploded' };

const details: Partial<Record<ErrorCode, JsonSchema>> = {
  INVALID_PARAMETER: { parameter: 'limit' },
  UNSUPPORTED_FILTER: { parameter: 'limit' },
  INVALID_CURSOR: { parameter: 'cursor' },
  VALIDATION_ERROR: {
    fields: [{ path: 'value', code: 'too_small', message: message('field.too_small', 'en', { min: 0 }) }],
  },
  UNKNOWN_EVENT: { event: 'lead.exploded' },
  WEBHOOK_URL_INVALID: { field: 'target_url' },
  WEBHOOK_URL_BLOCKED: { field: 'target_url' },
};
