import { type ResourceDeclaration, resourceNames, resources } from '@dealkeep/contract';
import { idOf } from './record-lines.ts';
import { type Measure, shownFields } from './shown.ts';

/** The fields that a list shows of a resource's records; undefined where it shows all. */
export function briefOf(resource: string): readonly string[] | undefined {
  const name = resourceNames.find((each) => each === resource);
  const declaration: ResourceDeclaration | undefined = name && resources[name];
  // Their pages are told once for the whole list.
  return declaration?.brief?.filter((field) => field !== 'app_url');
}

/**
 * A record as a list shows it: the fields that say the most. Of what it refers to, records have their ID and name;
 * what is chosen from a list (stages, people) has its name alone, by which tools take it as well, because IDs cost
 * the most.
 */
export function briefItem(resource: string, record: unknown, measure: Measure): Record<string, unknown> {
  const brief = briefOf(resource);
  const fields = wholeItem(record, measure);
  if (!brief) return fields;
  const told = Object.entries(fields).filter(([name]) => brief.includes(name));
  return Object.fromEntries(told.map(([name, value]) => [name, referred(name, value)]));
}

/** A whole record without the address of its page: a list says once how addresses are made. */
export function wholeItem(record: unknown, measure: Measure): Record<string, unknown> {
  const { app_url: _, ...fields } = shownFields(record, measure);
  return fields;
}

function referred(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => referred(name, each));
  if (typeof value !== 'object' || value === null) return value;
  const { id, name: called } = Object(value);
  if (id === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, referred(key, each)]));
  }
  return isRecordKind(name) ? { id, name: called } : { name: called };
}

const isRecordKind = (name: string): boolean =>
  resourceNames.some((each) => each === name && resources[each].kind === 'record');

/** Where the pages of these records are: `https://…/leads/{id}`; undefined where they have none. */
export function pagesOf(records: readonly unknown[]): string | undefined {
  for (const record of records) {
    const { app_url: page } = Object(record);
    const id = idOf(record);
    if (typeof page === 'string' && id !== undefined && page.endsWith(id)) {
      return `${page.slice(0, -id.length)}{id}`;
    }
  }
  return undefined;
}
