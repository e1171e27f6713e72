import { comparisonForm, type ReferenceName, unaccentedForm } from '@dealkeep/contract';
import * as z from 'zod';
import type { SearchDeclaration } from '../catalog/searches.ts';
import { filledIn } from '../forms/filled-in.ts';
import type { FormField } from '../forms/form-field.ts';
import { InputProblem } from '../forms/input-problem.ts';
import { isBlank } from '../forms/is-empty.ts';
import { type ApiRecord, valueAt } from '../records/api-record.ts';
import { shapeRecord } from '../records/shape-record.ts';
import { referenceOf } from '../references.ts';
import { operationOf } from '../registry.ts';
import type { Api } from '../requests/api.ts';
import { pagesOf } from '../requests/pages.ts';
import { isListedInPart, recordOfId, wholeRecord } from '../requests/whole-record.ts';
import { innerRecords } from './find-inside.ts';
import { exactlyPath, idPath, putAway, putAwayToo, type SearchForm, searchFields } from './search-form.ts';
import { searchedBy } from './searched.ts';

/** As many as steps of the platforms take; the best stands first. */
const mostFound = 100;
/** Each costs a request of its own: of the minute's 120, other steps need some. */
const mostReadWhole = 10;
/** Among so many pages of records that contain the text, the best is looked for. */
const mostPagesOfParts = 5;
/** What is called exactly so is looked for on every page; so many are too many for the minute's requests. */
const mostPages = 50;
/** No name is longer, and an address that holds more is refused on its way. */
const longestSearch = 1000;

/** What a search looks for, as the person filled it in. */
interface Wanted {
  readonly query: Readonly<Record<string, unknown>>;
  /** What the record is called, to the letter. */
  readonly exactly: string | undefined;
  /** What its name, or another text of it, holds. */
  readonly part: string | undefined;
}

/** All records that a search finds, shaped, the best first; none is an empty list. */
export async function find(
  api: Api,
  declaration: SearchDeclaration,
  form: SearchForm,
  input: Record<string, unknown>,
): Promise<readonly ApiRecord[]> {
  const { resource, answer } = operationOf(declaration.list);
  const { schema: whole } = searchedBy(declaration);
  const { [idPath]: id, ...filled } = filledIn(searchFields(form), searchedFor(form, input));
  if (id !== undefined) {
    const record = await recordNamedBy(api, declaration, String(id));
    return record ? [shapeRecord(whole, record)] : [];
  }
  if (declaration.inside) {
    const inner = await listedInside(api, declaration.inside, form, wantedIn(declaration, form, filled));
    return inner.map((record) => shapeRecord(whole, record));
  }
  const found = await listed(api, declaration, form, wantedIn(declaration, form, filled));
  const best = found.slice(0, isListedInPart(resource) ? mostReadWhole : undefined);
  const read = await Promise.all(best.map((record) => wholeRecord(api, resource, record)));
  // What a list does not tell of a record is left out of it: an empty field would say that there is none.
  const item = answer instanceof z.ZodObject ? answer : whole;
  return [
    ...read.map((record) => shapeRecord(whole, record)),
    ...found.slice(best.length).map((record) => shapeRecord(item, record)),
  ];
}

/**
 * What is searched by. A field that is there and empty was filled by an earlier step that had nothing for it:
 * without it the search would find other records than the one that is looked for, so it ends here.
 */
function searchedFor(form: SearchForm, input: Record<string, unknown>): Record<string, unknown> {
  const fields = searchFields(form).filter(({ path }) => path[0] !== putAway);
  const given = fields.flatMap((field) => keysIn(field, input).map((key) => ({ key, label: field.label })));
  const empty = given.filter(({ key }) => isBlank(input[key]));
  if (empty.length === 0 || !isBlank(input[form.id.key])) return input;
  if (empty.length < given.length) {
    throw new InputProblem(empty.map(({ label }) => `${label}: ${nothingToLookFor}`).join(' '));
  }
  const keys = empty.map(({ key }) => key);
  return Object.fromEntries(Object.entries(input).filter(([key]) => !keys.includes(key)));
}

/** The custom fields of a search are known only where one is filled in; their keys begin with that of them all. */
const keysIn = ({ key, keysOf }: FormField, input: Record<string, unknown>): string[] =>
  Object.keys(input).filter((each) => each === key || (keysOf !== undefined && each.startsWith(`${key}__`)));

const nothingToLookFor =
  'There is nothing to look for. Check that the earlier step which fills this field found a value, or take the field out of the search.';

async function recordNamedBy(
  api: Api,
  { list, inside }: SearchDeclaration,
  id: string,
): Promise<ApiRecord | undefined> {
  if (!inside) return recordOfId(api, operationOf(list).resource, id);
  return (await innerRecords(api, inside, undefined)).find((record) => record['id'] === id);
}

/**
 * What stands inside records is not searched by the API, so it is here: whatever the capitals and the diacritics.
 */
async function listedInside(
  api: Api,
  inside: ReferenceName,
  form: SearchForm,
  { query, exactly, part }: Wanted,
): Promise<readonly ApiRecord[]> {
  const owner = query[referenceOf(inside).parent ?? ''];
  const all = await innerRecords(api, inside, typeof owner === 'string' ? owner : undefined);
  const found = all.filter((record) => {
    const name = nameOf(record, form) ?? '';
    return (
      (exactly === undefined || name === comparisonForm(exactly)) &&
      (part === undefined || unaccentedForm(name).includes(unaccentedForm(part)))
    );
  });
  return bestFirst(found, form, part).slice(0, mostFound);
}

function wantedIn(
  { madeName }: SearchDeclaration,
  form: SearchForm,
  filled: Readonly<Record<string, unknown>>,
): Wanted {
  const { [exactlyPath]: exactly, [putAway]: archived, ...filters } = filled;
  const leavesOut = form.filters.some(({ path }) => path[0] === putAway);
  const chosen = leavesOut && archived !== putAwayToo ? { [putAway]: archived ?? 'false' } : {};
  const asksForPutAway = Object.values(chosen).some((value) => value !== 'false');
  if (exactly === undefined && Object.keys(filters).length === 0 && !asksForPutAway) {
    throw new InputProblem('Fill in at least one field to search by.');
  }
  const name = textOf(exactly, form.exactly.label);
  const part = textOf(filters['q'], form.filters.find(({ path }) => path[0] === 'q')?.label);
  // The API has no filter that is exactly a name; of what contains it, `listed` takes what is called so.
  return { query: { ...filters, ...chosen, q: part ?? (madeName ? undefined : name) }, exactly: name, part };
}

function textOf(value: unknown, label = 'Search'): string | undefined {
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (text === undefined || text.length <= longestSearch) return text;
  throw new InputProblem(`${label}: This is too long to search by.`);
}

/** Every match up to the most, over all pages of the list. */
async function listed(
  api: Api,
  declaration: SearchDeclaration,
  form: SearchForm,
  { query, exactly, part }: Wanted,
): Promise<readonly ApiRecord[]> {
  const operation = operationOf(declaration.list);
  const isCalled = (record: ApiRecord, name: string) => nameOf(record, form) === comparisonForm(name);
  // An error about the text names the field that it stands in.
  const fields = part === undefined ? [...form.filters, { ...form.exactly, path: ['q'] }] : form.filters;
  const found: ApiRecord[] = [];
  let pages = 0;
  for await (const items of pagesOf(api, { operation, query, fields })) {
    pages += 1;
    if (exactly !== undefined && pages > mostPages) {
      const { label } = form.exactly;
      throw new InputProblem(`${label}: Too many records contain this text. Fill in another field as well.`);
    }
    found.push(...items.filter((item) => exactly === undefined || isCalled(item, exactly)));
    const looksForBest = part !== undefined && exactly === undefined && pages < mostPagesOfParts;
    const isEnough = !looksForBest || found.some((record) => isCalled(record, part));
    if (found.length >= mostFound && isEnough) break;
  }
  return bestFirst(found, form, part).slice(0, mostFound);
}

/** What is called so stands before what begins so, and that before the rest; of equals the newest stays first. */
function bestFirst(found: readonly ApiRecord[], form: SearchForm, part: string | undefined): ApiRecord[] {
  const wanted = part && comparisonForm(part);
  if (wanted === undefined) return [...found];
  const rankOf = (record: ApiRecord): number => {
    const name = nameOf(record, form);
    if (name === wanted) return 0;
    return name?.startsWith(wanted) ? 1 : 2;
  };
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** What people call a record, as names are compared. */
function nameOf(record: ApiRecord, { naming }: SearchForm): string | undefined {
  const name = valueAt(record, naming);
  return typeof name === 'string' ? comparisonForm(name) : undefined;
}
