// postgres.js can read the array types of a database by itself, with a statement on every new connection. When that
// connection breaks, nobody handles the statement's rejection and the process ends; so the few that we use are said
// here. A type that is missing fails at once, as a malformed array literal.

const text = 1009;
const uuid = 2951;
const timestamptz = 1185;
const int4 = 1007;

type Element = string | number | null;

const special = /[\\"]/;

/** `{1,"a","b \"c\"",NULL}`: PostgreSQL manual, 8.15.6. Few texts hold anything special, and there are many. */
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
