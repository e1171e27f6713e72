import type { FieldFacts } from '@dealkeep/contract';
import { notFound } from '@dealkeep/core/foundations';
import { type LookupEntry, readLookup, readLookups } from '@dealkeep/core/records';
import { idIn, requireOwner } from '../../auth/permitted.ts';
import type { ConsoleContext } from '../../context.ts';
import { type SettingsLookup, settingsLookups } from './settings-lookups.ts';

export const lookupsPath = '/settings/lists';

/** A lookup as its pages show it: all pipelines, or the stages of one of them. */
export interface Place {
  readonly lookup: SettingsLookup;
  /** Where its pages are. */
  readonly base: string;
  /** The page that shows it. */
  readonly page: string;
  /** What it stands in, such as the pipeline of stages. */
  readonly parent: LookupEntry | undefined;
}

/** Registers pages of every list, and of what stands in its entries. */
export function eachLookup(
  register: (path: string, lookup: SettingsLookup, placeOf: (c: ConsoleContext) => Promise<Place>) => void,
): void {
  for (const lookup of settingsLookups) {
    const base = `${lookupsPath}/${lookup.path}`;
    register(base, lookup, async (c) => {
      requireOwner(c);
      return { lookup, base, page: base, parent: undefined };
    });
    const { inner } = lookup;
    if (!inner) continue;
    register(`${base}/:parent/${inner.path}`, inner, async (c) => {
      const parent = await readLookup(scopeOf(c), lookup.name, idIn(c, 'parent'));
      const page = `${base}/${parent.id}`;
      return { lookup: inner, base: `${page}/${inner.path}`, page, parent };
    });
  }
}

/** What reading the lists of an owner's organization needs. Raises FORBIDDEN for everybody else. */
export const scopeOf = (c: ConsoleContext) => ({
  sql: c.get('core').sql,
  organization: requireOwner(c).organization.id,
});

/** The entry of the path. Raises NOT_FOUND, also for one that stands in something else. */
export async function entryIn(c: ConsoleContext, { lookup, parent }: Place): Promise<LookupEntry> {
  const entry = await readLookup(scopeOf(c), lookup.name, idIn(c));
  if (parent && !Object.values(entry).includes(parent.id)) throw notFound();
  return entry;
}

/** The fields of a list's form; the groups of custom fields are the organization's own. */
export async function fieldsIn(c: ConsoleContext, { fields }: SettingsLookup): Promise<FieldFacts[]> {
  if (!fields.some(({ name }) => name === 'group_id')) return [...fields];
  const groups = await readLookups(scopeOf(c), 'custom-field-group');
  return fields.map((field) => (field.name === 'group_id' ? withChoices(field, groups) : field));
}

/** A field of an id that is chosen among these. */
export const withChoices = (
  field: FieldFacts,
  entries: readonly Pick<LookupEntry, 'id' | 'name'>[],
): FieldFacts => ({
  ...field,
  reference: undefined,
  values: entries.map(({ id }) => id),
  description: field.description && {
    ...field.description,
    choices: Object.fromEntries(entries.map(({ id, name }) => [id, { en: name, sk: name }])),
  },
});
