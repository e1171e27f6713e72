/** A record as the API answers it. */
export type ShownRecord = Readonly<Record<string, unknown>>;

export interface ShownPage {
  readonly data: readonly ShownRecord[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** Parameters of a list as an address holds them. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** A text inside a record, by the dotted path of `references`; empty where there is none. */
export function textIn(record: ShownRecord, path: string): string {
  let value: unknown = record;
  for (const name of path.split('.')) value = Reflect.get(Object(value), name);
  return typeof value === 'string' ? value : '';
}
