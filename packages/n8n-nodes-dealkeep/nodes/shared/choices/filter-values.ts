import { ApiFailure, ParameterProblem } from '../failure.ts';
import { loads } from '../generated/choices.ts';
import type { ChosenFilter } from '../parameters/event-filters.ts';
import { valueAt } from '../record.ts';
import type { Choices } from '../tables.ts';
import { gone } from '../transport/gone.ts';
import { listRecords } from '../transport/pages.ts';
import type { DealkeepApi } from '../transport/request.ts';

/**
 * Makes sure that what is filtered by is there: Dealkeep takes any id, and nothing would ever fit one that was
 * deleted.
 *
 * @throws {ParameterProblem} that names the filter and the value
 */
export async function requireFilterValues(api: DealkeepApi, filters: readonly ChosenFilter[]): Promise<void> {
  for (const { label, load = '', values } of filters) {
    const choices = loads[load];
    const missing = choices && (await firstMissing(api, choices, values).catch(unseen));
    if (missing === undefined) continue;
    throw new ParameterProblem(
      `Filters → ${label}: "${missing}" is not in Dealkeep`,
      'It was deleted, or belongs to another organization. Take it out of the filter, or choose another one.',
    );
  }
}

async function firstMissing(
  api: DealkeepApi,
  choices: Choices,
  values: readonly string[],
): Promise<string | undefined> {
  if (choices.items !== undefined || choices.value !== 'id') {
    const there = await allValues(api, choices);
    return values.find((value) => !there.has(value));
  }
  for (const id of values) {
    const path = `${choices.list}/${encodeURIComponent(id)}`;
    if ((await api.request({ method: 'GET', path, mayBeGone: true })) === gone) return id;
  }
  return undefined;
}

/** Who may not see what there is to choose from may still be told of the events. */
function unseen(error: unknown): undefined {
  if (!(error instanceof ApiFailure) || error.status !== 403) throw error;
}

async function allValues(api: DealkeepApi, { list, paged, items, value }: Choices): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const record of listRecords(api, { path: list, paged, query: {}, limit: undefined })) {
    const inner: unknown = items === undefined ? [record] : valueAt(record, items);
    for (const each of Array.isArray(inner) ? inner : []) found.add(String(valueAt(each, value)));
  }
  return found;
}
