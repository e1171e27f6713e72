import { type ApiRecord, isApiRecord, valueAt } from '../records/api-record.ts';

/** One line of a dropdown. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** What tells records of one name apart, the first that a record has. */
const contexts = ['company.name', 'customer_name', 'email', 'sku', 'starts_at', 'start_at'];

/** A record by its name and by what tells it from others of that name: `City bike (BIKE-CITY-28)`. */
export function choiceOf(record: ApiRecord, label = 'name'): Choice {
  const id = String(record['id'] ?? record['uuid'] ?? '');
  const found = contexts.map((path) => valueAt(record, path.split('.'))).find(isFilled);
  const context = found?.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*Z$/, '$1 $2 UTC');
  const own = valueAt(record, label.split('.'));
  if (!isFilled(own)) return { id, name: context ?? id };
  return { id, name: context === undefined || context === own ? own : `${own} (${context})` };
}

/** What stands in a list inside a record: the stages of a pipeline. */
export function innerChoices(owner: ApiRecord, items: string): Choice[] {
  const inner = owner[items];
  return Array.isArray(inner) ? inner.filter(isApiRecord).map((item) => choiceOf(item)) : [];
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
