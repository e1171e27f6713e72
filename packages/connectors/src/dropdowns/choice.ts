import { namesOf, type Reference } from '@dealkeep/contract';
import { type ApiRecord, isApiRecord, valueAt } from '../records/api-record.ts';
import { isLookup, operationOf } from '../registry.ts';

/** One line of a dropdown. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** A record by its name and by what tells it from others of that name: `City bike (BIKE-CITY-28)`. */
export function choiceOf(record: ApiRecord, reference: Reference): Choice {
  const id = String(record['id'] ?? record['uuid'] ?? '');
  const filled = (paths: readonly string[]) =>
    paths.map((path) => valueAt(record, path.split('.'))).find(isFilled);
  const own = filled(namesOf(reference));
  const context = filled(reference.apart ?? [])?.replace(
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*Z$/,
    '$1 $2 UTC',
  );
  if (own === undefined) return { id, name: context ?? id };
  return { id, name: context === undefined || context === own ? own : `${own} (${context})` };
}

/** What stands in a list inside a record: the stages of a pipeline. */
export function innerChoices(owner: ApiRecord, items: string, reference: Reference): Choice[] {
  const inner = owner[items];
  return Array.isArray(inner) ? inner.filter(isApiRecord).map((item) => choiceOf(item, reference)) : [];
}

/** The same inside several records, each of whose names tells where it stands: `Sales: New`. */
export const innerChoicesOfAll = (
  owners: readonly ApiRecord[],
  items: string,
  reference: Reference,
): Choice[] =>
  owners.flatMap((owner) =>
    innerChoices(owner, items, reference).map(({ id, name }) => ({
      id,
      name: `${choiceOf(owner, reference).name}: ${name}`,
    })),
  );

/** Lists that people keep are read by name; of what comes in every day the newest stands first. */
export const orderOfChoices = (list: string): { readonly sort?: 'name' } =>
  isLookup(operationOf(list).resource) ? { sort: 'name' } : {};

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
