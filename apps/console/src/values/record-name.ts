import { namesOf, type Reference, type ResourceName, references } from '@dealkeep/contract';
import { type ShownRecord, textIn } from './shown-record.ts';

/** What a record is called, by the fields that the contract says name it; empty where none is filled in. */
export function recordName(resource: ResourceName, record: ShownRecord): string {
  const declared: Readonly<Record<string, Reference>> = references;
  const reference = declared[resource];
  // A quote is chosen nowhere, so that nothing but its number names it.
  const names = reference ? namesOf(reference) : ['number'];
  return names.map((path) => textIn(record, path)).find((name) => name !== '') ?? '';
}

/** Where the page of a record stands; undefined where the record does not say. */
export function recordPath(record: ShownRecord): string | undefined {
  const address = URL.parse(textIn(record, 'app_url'));
  return address?.pathname;
}
