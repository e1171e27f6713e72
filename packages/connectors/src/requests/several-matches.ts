import { choiceOf } from '../dropdowns/choice.ts';
import { matchField } from '../forms/action-fields.ts';
import { type ApiRecord, valueAt } from '../records/api-record.ts';
import { referenceNamed, referenceOf } from '../references.ts';
import { labelOfResource, pluralOfResource } from '../registry.ts';
import type { Api, Call } from './api.ts';
import { recordOfId } from './whole-record.ts';

/** So many are named; each costs a request. */
const mostNamed = 5;

/** The ids of the records that "create or update" cannot choose among; none when it was refused for another reason. */
export function matchesIn({ operation }: Call, content: unknown): readonly string[] {
  const ids = operation.kind === 'upsert' ? valueAt(content, ['error', 'detail', 'ids']) : [];
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** Which records have the value that is to find one, and what to do: the API tells their ids. */
export async function describeMatches(api: Api, call: Call, ids: readonly string[]): Promise<string> {
  const { resource } = call.operation;
  const matched = call.fields?.find(({ key }) => key === valueAt(call.body, [matchField]));
  const read = ids.slice(0, mostNamed).map((id) => recordOfId(api, resource, id));
  const named = (await Promise.all(read)).filter((record) => record !== undefined).map(nameAndPage(resource));
  const more = ids.length > named.length ? ` and ${ids.length - named.length} more` : '';
  const [matches, value] = [`${named.join(', ')}${more}`, matched?.label ?? 'value'];
  return `Match By: Several ${pluralOfResource(resource)} have this ${value}: ${matches}. Nothing was written. Correct these records in Dealkeep, match by another field, or choose one of them with Update ${labelOfResource(resource)}.`;
}

/** `Tatra (https://crm.example.com/companies/…)` */
const nameAndPage = (resource: string) => (record: ApiRecord) => {
  const reference = referenceNamed(resource);
  const name = reference && choiceOf(record, { ...referenceOf(reference), apart: [] }).name;
  return `${name} (${record['app_url'] ?? record['id']})`;
};
