import { fieldsOf, type OperationDeclaration, resources } from '@dealkeep/contract';
import { nameOf } from '../texts/record-lines.ts';
import { quoted } from '../texts/visible.ts';

/** What an operation would work with. */
interface Intended {
  /** Undefined where it makes a record. */
  readonly id: string | undefined;
  /** Undefined where there is none yet, or it may not be read. */
  readonly record: unknown;
  /** Its arguments, a line each. */
  readonly given: readonly string[];
  /** The address that it is given to send to. */
  readonly address: unknown;
}

/**
 * What an operation would do, in plain words: what, to which record, where it sends something, and what else goes
 * with it.
 */
export function consequenceOf(
  { title, about, resource, sendsTo }: OperationDeclaration,
  { id, record, given, address }: Intended,
): string {
  const name = nameOf(resource, record);
  const which = id === undefined ? '' : `: ${name === undefined ? id : quoted(name)}`;
  return [
    `${title.en}${which}`,
    ...(id === undefined ? [] : [`ID: ${id}`]),
    ...(record === undefined ? [] : factsOf(resource, record)),
    ...(sendsTo === undefined ? [] : wayOut(address, Reflect.get(Object(record), sendsTo))),
    ...given,
    about.en,
  ].join('\n');
}

/** Where something is sent, by the host, which says the most of an address and stands first. */
function wayOut(asked: unknown, present: unknown): string[] {
  const [to, from] = [hostOf(asked ?? present), hostOf(present)];
  if (to === undefined) return [];
  const was =
    asked === undefined || from === undefined || from === to ? '' : `, no longer to the host ${from}`;
  return [`It sends to the host ${to}${was}.`];
}

function hostOf(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  return quoted(URL.canParse(address) ? new URL(address).host : address);
}

const mostFacts = 6;

/** By what somebody knows it from others of the same name: who and what it belongs to, how it stands. */
function factsOf(resource: string, record: unknown): string[] {
  const [, declaration] = Object.entries(resources).find(([name]) => name === resource) ?? [];
  const fields = declaration ? fieldsOf(declaration.schema) : [];
  return fields
    .filter(({ name }) => !leftOut.has(name))
    .flatMap((field) => {
      const value = textOf(Reflect.get(Object(record), field.name));
      return value === undefined ? [] : [`${field.description?.label.en ?? field.name}: ${value}`];
    })
    .slice(0, mostFacts);
}

/** Said already, or of no use to who must decide. */
const leftOut = new Set(['id', 'uuid', 'name', 'title', 'number', 'note', 'app_url', 'updated_at']);

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && value !== '') return quoted(value);
  const { name } = Object(value);
  return typeof name === 'string' && name !== '' ? quoted(name) : undefined;
}
