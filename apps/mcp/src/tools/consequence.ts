import { fieldsOf, type OperationDeclaration, resources } from '@dealkeep/contract';
import { nameOf } from '../texts/record-lines.ts';
import { quoted } from '../texts/visible.ts';

/** What an operation would do to a record, in plain words: what, to which one, and what else goes with it. */
export function consequenceOf(
  { title, about, resource }: OperationDeclaration,
  id: string,
  record: unknown,
): string {
  const name = nameOf(resource, record);
  const lines = record === undefined ? [`ID: ${id}`] : [`ID: ${id}`, ...factsOf(resource, record)];
  return [`${title.en}: ${name === undefined ? id : quoted(name)}`, ...lines, about.en].join('\n');
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
