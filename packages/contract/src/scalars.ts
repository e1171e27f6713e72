import * as z from 'zod';
import { asciiLowerCase } from './comparison-form.ts';
import { countryCodes } from './countries.ts';
import { currencyCodes } from './currencies.ts';
import { describe, type FieldDescription } from './field.ts';
import { limits } from './limits.ts';
import type { MessageKey } from './messages.ts';
import { text } from './text.ts';
import { isTimeZone, longestTimeZone } from './time-zone.ts';

/** Amounts above this are refused (rule bodies 22). */
export const largestAmount = 1_000_000_000_000;

/** A failed check of ours, told apart from zod's own by its message key. */
const problem = (key: MessageKey, values: Record<string, number> = {}) => ({ params: { key, values } });

/** The message of a check of zod's, in place of the one that belongs to its kind. */
const own = (key: MessageKey): string => key;

/** Text that PostgreSQL and JSON can both hold: no NUL, no lone surrogates; lengths count code points. */
function plainText(maxLength: number | undefined, trimmed: boolean, filled: boolean) {
  const base = trimmed ? z.string().trim() : z.string();
  const text = base
    .refine((value) => !value.includes('\0') && value.isWellFormed(), problem('field.invalid_characters'))
    .refine((value) => !filled || value.length > 0, problem('field.empty'))
    .refine((value) => !trimmed || value === '' || hasVisibleSign(value), problem('field.cannot_be_seen'));
  return maxLength === undefined
    ? text.refine(fitsOpenText, problem('field.too_large', { max: limits.textBytes / 1024 }))
    : text.refine(
        (value) => codePointsUpTo(value, maxLength) <= maxLength,
        problem('field.too_long', { max: maxLength }),
      );
}

/**
 * Blanks, controls and signs that are ignored where they are shown, such as a Hangul filler; the empty Braille cell
 * as well.
 */
const visibleSign = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;

const hasVisibleSign = (value: string): boolean => visibleSign.test(value);

/** The longest JSON of one UTF-16 unit: \u0001. */
const longestEscape = 6;

/** Whether a text that has no length of its own is short enough, as bytes of its JSON (rule bodies 15). */
function fitsOpenText(value: string): boolean {
  if (value.length * longestEscape <= limits.textBytes) return true;
  if (value.length > limits.textBytes) return false;
  return new TextEncoder().encode(JSON.stringify(value)).length - '""'.length <= limits.textBytes;
}

/** The number of code points; of a text that is longer than so many however it is counted, its units. */
const codePointsUpTo = (value: string, most: number): number =>
  value.length <= most || value.length > 2 * most ? value.length : [...value].length;

type Described = Omit<FieldDescription, 'maxLength' | 'reference' | 'dependsOn'>;

export const string = (field: Described & { max?: number }) =>
  describe(plainText(field.max, false, false), { ...field, maxLength: field.max ?? limits.textBytes });

/** Whether there is a letter, a digit, a sign of punctuation or a symbol in it. */
export const canBeSeen = (value: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(value);

/** What somebody looks for: something of it can be seen. */
export const searchTerm = (field: Described) =>
  describe(plainText(undefined, false, false).refine(canBeSeen, problem('field.empty')), {
    ...field,
    minLength: 1,
    maxLength: limits.textBytes,
  });

/** A name: trimmed, and not empty. */
export const name = (field: Described & { max?: number }) => trimmedText(field, true);

/** A name that may be empty. */
export const looseName = (field: Described & { max?: number }) => trimmedText(field, false);

const trimmedText = (field: Described & { max?: number }, filled: boolean) =>
  describe(plainText(field.max, true, filled), {
    ...field,
    ...(filled ? { minLength: 1 } : {}),
    maxLength: field.max ?? limits.textBytes,
  });

const longestEmail = 254; // RFC 5321, 4.5.3.1.3
// RFC 5321, 4.1.2, without quoted local parts and address literals; zod's own pattern knows fewer signs (R&D@…).
const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const emailPattern = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, 'i');

export const email = (field: Described) =>
  describe(plainText(longestEmail, true, false).pipe(z.email({ pattern: emailPattern })), {
    ...field,
    format: 'email',
    maxLength: longestEmail,
  });

/** UUIDs compare in lower case, however they are written (RFC 9562, 4). */
export const anyUuid = z.uuid().overwrite(asciiLowerCase);

export const uuid = (field: Described) => describe(anyUuid.clone(), field);

/** The id of another record of the organization. */
export const reference = (
  target: NonNullable<FieldDescription['reference']>,
  field: Omit<Described, 'example'> & { dependsOn?: string; example?: string },
) => describe(anyUuid.clone(), { ...field, reference: target });

export const amount = (field: Described) =>
  describe(z.number().min(0).max(largestAmount), { ...field, unit: 'money' });

export const integer = (field: Described & { min?: number; max?: number }) =>
  describe(
    z
      .int()
      .min(field.min ?? 0)
      .max(field.max ?? Number.MAX_SAFE_INTEGER),
    field,
  );

export const boolean = (field: Described) => describe(z.boolean(), field);

/** ISO 8601 date, from year 1: PostgreSQL has no year 0. */
export const date = (field: Described) =>
  describe(
    z.iso.date().refine((value) => value >= '0001', problem('field.invalid_date')),
    field,
  );

/** RFC 3339 date-time with any offset, of the years 1 to 9999; read as UTC with milliseconds. */
export const dateTime = (field: Described) =>
  describe(
    z.iso
      .datetime({ offset: true })
      .refine((value) => utc(value) !== undefined, problem('field.invalid_date_time'))
      .overwrite((value) => utc(value) ?? value),
    field,
  );

/** With more decimals than any clock has. */
const longestDateTime = 16_384;

/** PostgreSQL knows neither all offsets of RFC 3339 nor any number of decimals, so the moment is written anew. */
function utc(value: string): string | undefined {
  if (value.length > longestDateTime) return undefined;
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return undefined;
  const text = moment.toISOString();
  return /^\d{4}-/.test(text) && text >= '0001' ? text : undefined;
}

export const url = (field: Described & { max?: number }) =>
  describe(z.url(), { ...field, ...(field.max ? { maxLength: field.max } : {}) });

/** NUL in the words of patterns that JavaScript, Python, Go, Java and .NET share; OpenAPI gives them on. */
export const nul = '\\x00';

const webPattern = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]?://[^\\s${nul}]+$`);

/** What people may open: http or https. A script or a file of a machine is no web address. */
export const webUrl = (field: Described & { max?: number }) =>
  describe(
    plainText(field.max, false, false)
      .regex(webPattern, own('field.invalid_url'))
      .refine((value) => !webPattern.test(value) || URL.canParse(value), problem('field.invalid_url')),
    { ...field, opens: true, ...(field.max ? { maxLength: field.max } : {}) },
  );

export const choice = <const Value extends string>(
  field: Omit<Described, 'choices'> & {
    choices: Record<Value, NonNullable<FieldDescription['choices']>[string]>;
  },
) => describe(z.enum(Object.keys(field.choices) as [Value, ...Value[]]), field);

/** A token (RFC 9110, 5.6.2). */
const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * What a request of ours sets itself, what belongs to the connection or to whoever stands between (RFC 9110, 7), and
 * cookies, which are the state of somebody's browser.
 */
const reservedHeader =
  /^(?:(?:webhook|x-service|content|proxy|sec|x-forwarded)-.*|host|user-agent|date|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|http2-settings|accept-encoding|max-forwards|via|forwarded|x-real-ip|cookie2?)$/i;

/** The name of a header that people may choose for requests of ours. */
export const headerName = (field: Described & { max: number }) =>
  describe(
    plainText(field.max, true, true)
      .refine((value) => value === '' || headerNamePattern.test(value), problem('field.invalid_header_name'))
      .refine((value) => !reservedHeader.test(value), problem('field.reserved_header')),
    { ...field, minLength: 1, maxLength: field.max },
  );

/** Field content (RFC 9110, 5.5) of ASCII alone: what other bytes mean, receivers disagree about. */
const headerValuePattern = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

export const headerValue = (field: Described & { max: number }) =>
  describe(
    plainText(field.max, false, true).refine(
      (value) => value === '' || headerValuePattern.test(value),
      problem('field.invalid_header_value'),
    ),
    { ...field, minLength: 1, maxLength: field.max },
  );

const assignedCountry = describe(z.enum(countryCodes, own('field.invalid_country')), {
  label: text('Country Code', 'Kód krajiny'),
  help: text('An assigned code of ISO 3166-1 alpha-2.', 'Pridelený kód podľa ISO 3166-1 alpha-2.'),
  example: 'SK',
});

/** ISO 3166-1 alpha-2, upper case. Its message names no choices: there are 249. */
export const countryCode = (field: Described) =>
  describe(assignedCountry.clone(), { ...field, id: 'CountryCode', codesOf: 'region' });

export const list = <Item extends z.ZodType>(
  item: Item,
  field: Described & { min?: number; max?: number },
) => {
  const { min = 0, max } = field;
  const items = min > 0 ? z.array(item).min(min) : z.array(item);
  return describe(max === undefined ? items : items.max(max), field);
};

/** Values by names that the organization gives. */
export const dictionary = <Value extends z.ZodType>(value: Value, field: Described) =>
  describe(
    z
      .record(z.string(), value)
      .refine(
        (entries) => Object.keys(entries).length <= limits.listItems,
        problem('field.too_many', { max: limits.listItems }),
      ),
    { ...field, maxEntries: limits.listItems },
  );

/** An amount that is computed, and so may be of any sign. */
export const money = (field: Described) => describe(z.number(), { ...field, unit: 'money' });

/** More than nothing. */
export const quantity = (field: Described) => describe(z.number().positive().max(largestAmount), field);

export const percentage = (field: Described) =>
  describe(z.number().min(0).max(100), { ...field, unit: 'percent' });

const activeCurrency = describe(z.enum(currencyCodes, own('field.invalid_currency')), {
  label: text('Currency', 'Mena'),
  help: text('An active code of ISO 4217.', 'Platný kód podľa ISO 4217.'),
  example: 'EUR',
});

/** An active code of ISO 4217, in upper case. Its message names no choices: there are 178. */
export const currency = (field: Described) =>
  describe(activeCurrency.clone(), { ...field, id: 'Currency', codesOf: 'currency' });

/** The same, read in either case and kept in upper case. */
export const currencyInAnyCase = (field: Described) =>
  describe(
    z
      .string()
      .regex(/^[A-Za-z]{3}$/, own('field.invalid_currency'))
      .toUpperCase()
      .pipe(activeCurrency),
    { ...field, id: 'Currency', codesOf: 'currency' },
  );

/** The currency of a record that exists: it may have been withdrawn meanwhile, as the koruna was. */
export const keptCurrency = (field: Described) => describe(z.string().length(3), { ...field, maxLength: 3 });

/** `#2f7a5b`: red, green and blue. */
export const color = (field: Described) =>
  describe(z.string().regex(/^#[0-9a-f]{6}$/i, own('field.invalid_color')), { ...field, maxLength: 7 });

/** HH:MM of a day. */
export const time = (field: Described) =>
  describe(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, own('field.invalid_time')), {
    ...field,
    maxLength: 5,
  });

/** A named zone of the IANA database; every one that JavaScript knows is offered. */
export const timeZone = (field: Described) =>
  describe(z.string().trim().refine(isTimeZone, problem('field.invalid_time_zone')), {
    ...field,
    maxLength: longestTimeZone,
    suggestions: Intl.supportedValuesOf('timeZone'),
  });

const shortestPassword = 10;
/** Longer ones would only keep the server busy. */
const longestPassword = 1000;

/** A new password, as it is typed; its length counts code points. */
export const password = (field: Described) =>
  describe(
    plainText(longestPassword, false, false).refine(
      // Twice as many units hold so many code points, whatever they are.
      (value) => [...value.slice(0, 2 * shortestPassword)].length >= shortestPassword,
      problem('field.too_short', { min: shortestPassword }),
    ),
    { ...field, minLength: shortestPassword, maxLength: longestPassword, password: 'new' },
  );

/** The password that somebody has, to prove who they are. */
export const currentPassword = (field: Described) =>
  describe(plainText(longestPassword, false, false), {
    ...field,
    maxLength: longestPassword,
    password: 'current',
  });

/** Long lists of choices that OpenAPI describes once, by their `id`. */
export const namedChoices: Readonly<Record<string, z.ZodType>> = {
  CountryCode: assignedCountry,
  Currency: activeCurrency,
};
