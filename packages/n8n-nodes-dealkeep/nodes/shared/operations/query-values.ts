import type { IDataObject } from 'n8n-workflow';
import type { ApiFields } from '../record.ts';

/** Query values as n8n takes them. Filters are texts, numbers and booleans only. */
export function queryOf(values: ApiFields): IDataObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
