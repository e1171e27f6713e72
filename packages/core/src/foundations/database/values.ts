// postgres.js can read the array types of a database by itself, with a statement on every new connection. When that
// connection breaks, nobody handles the statement's rejection and the process ends; so the few that we use are said
// here. A type that is missing fails at once, as a malformed array literal.

const text = 1009;
const uuid = 2951;
const timestamptz = 1185;
const int4 = 1007;

type Element = string | number | null;

const special = /[\\"]/;

/**
 * `{1,"a","b \"c\"",NULL}`: PostgreSQL manual, 8.15.6. The common texts, which need no escape, take the short way.
 */
const serialize = (elements: readonly Element[]): string =>
  `{${elements.map((each) => (typeof each === 'string' ? quoted(each) : (each ?? 'NULL'))).join(',')}}`;

const quoted = (text: string): string => `"${special.test(text) ? text.replaceAll(/[\\"]/g, '\\$&') : text}"`;

const element = /"((?:[^"\\]|\\.)*)"|([^",{}]+)/gs;

/** Arrays of one dimension whose elements are never null, as all of ours are. */
const parse = (literal: string): string[] =>
  Array.from(
    literal.matchAll(element),
    ([, quoted, plain]) => quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain ?? '',
  );

export const arrayTypes = {
  texts: { to: text, from: [text, uuid, timestamptz], serialize, parse },
  integers: { to: int4, from: [int4], serialize, parse: (literal: string) => parse(literal).map(Number) },
};

/**
 * The columns that a partial body really changes, against the row as it stands: absent fields stay, equal ones are
 * no change. Undefined when nothing changes.
 */
export function changesOf<Body extends object>(row: object, body: Body): Partial<Body> | undefined {
  const current = new Map(Object.entries(row));
  const changed = Object.entries(body).filter(
    ([column, value]) => value !== undefined && JSON.stringify(current.get(column)) !== JSON.stringify(value),
  );
  if (changed.length === 0) return undefined;
  const changes: Partial<Body> = {};
  for (const [column, value] of changed) Object.assign(changes, { [column]: value });
  return changes;
}

// Texts are taken apart by position: a page has hundreds of moments, and a `Date` for each costs more than all else
// that is done about a row. Columns are timestamptz(3), sessions are in UTC.

/** `2026-10-01 12:00:00.5+00` */
const usual = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/;
/** `2026-10-01T12:00:00.5+00:00` */
const usualJson = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?\+00:00$/;

/** A `timestamptz(3)` as the API shows it: RFC 3339 in UTC with milliseconds. */
export function momentOf(text: string): string {
  if (usual.test(text))
    return withMilliseconds(`${text.slice(0, 10)}T${text.slice(11, 19)}`, text.slice(20, -3));
  // Made ISO 8601 first, because `Date` reads years below 100 of PostgreSQL's form as 2001.
  return new Date(text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')).toISOString();
}

/** A `timestamptz(3)` as the API shows it, from PostgreSQL's JSON. */
export const momentOfJson = (text: string): string =>
  usualJson.test(text)
    ? withMilliseconds(text.slice(0, 19), text.slice(20, -6))
    : new Date(text).toISOString();

const withMilliseconds = (seconds: string, fraction: string): string =>
  `${seconds}.${fraction.length === 3 ? fraction : fraction.padEnd(3, '0')}Z`;

/** A text to look something up by: PostgreSQL refuses NUL in any text, so what holds one is found nowhere. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');
