import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { idOf } from '../parameters/locator.ts';
import { isRecord, valueAt } from '../record.ts';
import type { Choices } from '../tables.ts';
import { listRecords, readPage } from '../transport/pages.ts';
import type { DealkeepApi } from '../transport/request.ts';
import { nameOf } from './name-of.ts';

const pageSize = 100;

/** A page of choices that match what the person typed. */
export async function searchChoices(
  context: ILoadOptionsFunctions,
  api: DealkeepApi,
  choices: Choices,
  filter: string | undefined,
  paginationToken: string | undefined,
): Promise<INodeListSearchResult> {
  const typed = filter?.trim() ?? '';
  if (!choices.searchable || choices.items !== undefined) {
    const all = await loadChoices(context, api, choices);
    return { results: all.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase())) };
  }
  const query = { ...parentQuery(context, choices), ...(typed === '' ? {} : { q: typed }) };
  const list = { path: choices.list, paged: choices.paged, query };
  const page = await readPage(api, list, pageSize, paginationToken);
  return {
    results: page.records.map((record) => choiceOf(record, choices)),
    ...(page.next === undefined ? {} : { paginationToken: page.next }),
  };
}

/** All choices: for short lists, and for dropdowns that cannot ask for more. */
export async function loadChoices(
  context: ILoadOptionsFunctions,
  api: DealkeepApi,
  choices: Choices,
): Promise<INodeListSearchItems[]> {
  const query = parentQuery(context, choices);
  const list = { path: choices.list, paged: choices.paged, query, limit: undefined };
  const found: INodeListSearchItems[] = [];
  for await (const record of listRecords(api, list)) {
    found.push(
      ...(choices.items === undefined ? [choiceOf(record, choices)] : inner(context, record, choices)),
    );
  }
  return found;
}

/** Choices that stand inside a listed record; with the record's name before them unless it is the chosen one. */
function inner(context: ILoadOptionsFunctions, record: unknown, choices: Choices): INodeListSearchItems[] {
  const parent = parentId(context, choices);
  if (parent !== undefined && parent !== valueAt(record, 'id')) return [];
  const items = choices.items === undefined ? undefined : valueAt(record, choices.items);
  const prefix = parent === undefined ? `${nameOf(record, choices)} › ` : '';
  return (Array.isArray(items) ? items : []).map((item) => {
    const choice = choiceOf(item, choices);
    return { ...choice, name: prefix + choice.name };
  });
}

function choiceOf(record: unknown, choices: Choices): INodeListSearchItems {
  const url = valueAt(record, 'app_url');
  return {
    name: nameOf(record, choices),
    value: String(valueAt(record, choices.value)),
    ...(typeof url === 'string' ? { url } : {}),
  };
}

const parentQuery = (context: ILoadOptionsFunctions, choices: Choices): { [name: string]: string } => {
  const parent = choices.items === undefined ? parentId(context, choices) : undefined;
  return parent === undefined || !choices.parent ? {} : { [choices.parent.filter]: parent };
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The chosen parent: beside the field in its collection, else on top. An expression cannot be resolved while the
 * workflow is being edited, so it narrows nothing.
 */
function parentId(context: ILoadOptionsFunctions, choices: Choices): string | undefined {
  if (!choices.parent) return undefined;
  const { parameter } = choices.parent;
  for (const path of [`&${parameter}`, parameter]) {
    const value: unknown = context.getCurrentNodeParameter(path);
    const text = isRecord(value) ? value['value'] : value;
    if (typeof text !== 'string' || text === '' || text.startsWith('=')) continue;
    const id = idOf(value, parameter);
    if (id !== undefined && uuid.test(id)) return id;
  }
  return undefined;
}
