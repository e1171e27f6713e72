import type { Named } from './directory.ts';

/** The Ref of an id, null for none. */
export function named(items: ReadonlyMap<string, Named>, id: string | null): Named | null {
  const item = id === null ? undefined : items.get(id);
  return item ? { id: item.id, name: item.name } : null;
}
