import type { FieldProblem } from '@dealkeep/contract';
import type { Scope } from '../verb/verb.ts';

/** The ids of tags by their names, each once, and what is wrong with a name that no tag has. */
export async function chosenTags(
  context: Pick<Scope, 'directory'>,
  names: readonly string[],
): Promise<{ ids: string[]; problems: FieldProblem[] }> {
  const directory = await context.directory();
  const known = new Map([...directory.tags.values()].map(({ id, name }) => [name, id]));
  const ids = [...new Set(names)].flatMap((name) => known.get(name) ?? []);
  const missing = names.some((name) => !known.has(name));
  return { ids, problems: missing ? [{ path: 'tags', key: 'field.not_found' }] : [] };
}
