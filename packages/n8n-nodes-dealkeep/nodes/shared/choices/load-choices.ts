import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { idOf } from '../parameters/locator.ts';
import { isRecord, valueAt } from '../record.ts';
import type { Choices } from '../tables.ts';
import { type ListRequest, listRecords, readPage } from '../transport/pages.ts';
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
  const list = listOf(context, choices, typed === '' ? {} : { q: typed });
  if (list === undefined) return { results: [] };
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
  const list = listOf(context, choices, {});
  const found: INodeListSearchItems[] = [];
  if (list === undefined) return found;
  for await (const record of listRecords(api, { ...list, limit: undefined })) {
    found.push(
      ...(choices.items === undefined ? [choiceOf(record, choices)] : inner(context, record, choices)),
    );
  }
  return found;
}

/** Choices that stand inside a listed record; with the record's name before them unless it alone is chosen. */
function inner(context: ILoadOptionsFunctions, record: unknown, choices: Choices): INodeListSearchItems[] {
  const parents = parentIds(context, choices.parent);
  if (parents.length > 0 && !parents.includes(String(valueAt(record, 'id')))) return [];
  const items = choices.items === undefined ? undefined : valueAt(record, choices.items);
  const prefix = parents.length === 1 ? '' : `${nameOf(record, choices)} › `;
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

/** What is asked for; undefined while the record is not chosen below which the choices stand. */
function listOf(
  context: ILoadOptionsFunctions,
  { list: path, paged, query, parent, ...choices }: Choices,
  more: { [name: string]: string },
): Omit<ListRequest, 'limit'> | undefined {
  const ids = choices.items === undefined ? parentIds(context, parent) : [];
  if (parent?.inPath) {
    const [id] = ids;
    return id === undefined
      ? undefined
      : { path: path.replace(`{${parent.filter}}`, id), paged, query: { ...query, ...more } };
  }
  const narrowed = ids.length === 0 || !parent ? {} : { [parent.filter]: ids.join(',') };
  return { path, paged, query: { ...query, ...narrowed, ...more } };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The chosen parents, of which most fields have one: beside the field in its collection, else on top. An expression
 * cannot be resolved while the workflow is being edited, so it narrows nothing.
 */
function parentIds(context: ILoadOptionsFunctions, parent: Choices['parent']): string[] {
  if (!parent) return [];
  const { parameter } = parent;
  for (const path of [`&${parameter}`, parameter]) {
    const value: unknown = context.getCurrentNodeParameter(path);
    const ids = (Array.isArray(value) ? value : [value]).flatMap((each) => {
      const text = isRecord(each) ? each['value'] : each;
      if (typeof text !== 'string' || text === '' || text.startsWith('=')) return [];
      return idOf(each, parameter) ?? [];
    });
    const chosen = ids.filter((id) => uuid.test(id));
    if (chosen.length > 0) return chosen;
  }
  return [];
}
