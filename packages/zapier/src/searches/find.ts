import * as z from 'zod';
import { listedOwner } from '../dropdowns/listing.ts';
import { filledIn } from '../forms/filled-in.ts';
import { type ApiRecord, valueAt } from '../records/api-record.ts';
import { shapeRecord } from '../records/shape-record.ts';
import { answeredSchema, operationOf, operationOn } from '../registry.ts';
import { cleanError } from '../requests/clean-error.ts';
import { pagesOf, type Run } from '../requests/pages.ts';
import { isListedInPart, recordOfId, wholeRecord } from '../requests/whole-record.ts';
import type { SearchDeclaration } from './catalog.ts';
import { exactlyPath, idPath, putAway, putAwayToo, type SearchForm, searchFields } from './search-form.ts';

/** As many as Zapier's steps take; the best stands first. */
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
  run: Run,
  declaration: SearchDeclaration,
  form: SearchForm,
): Promise<readonly ApiRecord[]> {
  const { resource, answer } = operationOf(declaration.list);
  const whole = answeredSchema(resource);
  const { [idPath]: id, ...filled } = filledIn(run.z, searchFields(form), run.bundle.inputData);
  if (id !== undefined) {
    const record = await recordNamedBy(run, declaration.list, String(id));
    return record ? [shapeRecord(whole, record)] : [];
  }
  const found = await listed(run, declaration, form, wantedIn(run, form, filled));
  const best = found.slice(0, isListedInPart(resource) ? mostReadWhole : undefined);
  const read = await Promise.all(best.map((record) => wholeRecord(run, resource, record)));
  // What a list does not tell of a record is left out of it: an empty field would say that there is none.
  const item = answer instanceof z.ZodObject ? answer : whole;
  return [
    ...read.map((record) => shapeRecord(whole, record)),
    ...found.slice(best.length).map((record) => shapeRecord(item, record)),
  ];
}

/** Lookups such as users are not read one by one. */
async function recordNamedBy(run: Run, list: string, id: string): Promise<ApiRecord | undefined> {
  const { resource } = operationOf(list);
  return operationOn(resource, 'get') ? recordOfId(run, resource, id) : listedOwner(run, list, id);
}

function wantedIn(run: Run, form: SearchForm, filled: Readonly<Record<string, unknown>>): Wanted {
  const { [exactlyPath]: exactly, [putAway]: archived, ...filters } = filled;
  const leavesOut = form.filters.some(({ path }) => path[0] === putAway);
  const chosen = leavesOut && archived !== putAwayToo ? { [putAway]: archived ?? 'false' } : {};
  const asksForPutAway = Object.values(chosen).some((value) => value !== 'false');
  if (exactly === undefined && Object.keys(filters).length === 0 && !asksForPutAway) {
    throw invalid(run.z.errors, 'Fill in at least one field to search by.');
  }
  const name = textOf(run, exactly, form.exactly.label);
  const part = textOf(run, filters['q'], form.filters.find(({ path }) => path[0] === 'q')?.label);
  // The API has no filter that is exactly a name; of what contains it, `listed` takes what is called so.
  return { query: { ...filters, ...chosen, q: part ?? name }, exactly: name, part };
}

function textOf({ z: { errors } }: Run, value: unknown, label = 'Search'): string | undefined {
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (text === undefined || text.length <= longestSearch) return text;
  throw invalid(errors, `${label}: This is too long to search by.`);
}

/** Every match up to the most, over all pages of the list. */
async function listed(
  run: Run,
  declaration: SearchDeclaration,
  form: SearchForm,
  { query, exactly, part }: Wanted,
): Promise<readonly ApiRecord[]> {
  const operation = operationOf(declaration.list);
  const isCalled = (record: ApiRecord, name: string) => nameOf(record, form) === name.toLowerCase();
  // An error about the text names the field that it stands in.
  const fields = part === undefined ? [...form.filters, { ...form.exactly, path: ['q'] }] : form.filters;
  const found: ApiRecord[] = [];
  let pages = 0;
  for await (const items of pagesOf(run, { operation, query, fields })) {
    pages += 1;
    if (exactly !== undefined && pages > mostPages) {
      const { label } = form.exactly;
      throw invalid(
        run.z.errors,
        `${label}: Too many records contain this text. Fill in another field as well.`,
      );
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
  const wanted = part?.toLowerCase();
  if (wanted === undefined) return [...found];
  const rankOf = (record: ApiRecord): number => {
    const name = nameOf(record, form);
    if (name === wanted) return 0;
    return name?.startsWith(wanted) ? 1 : 2;
  };
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** What people call a record, in small letters. */
function nameOf(record: ApiRecord, { naming }: SearchForm): string | undefined {
  const name = valueAt(record, naming);
  return typeof name === 'string' ? name.trim().toLowerCase() : undefined;
}

const invalid = (errors: Run['z']['errors'], message: string): Error =>
  cleanError(new errors.Error(message, 'VALIDATION_ERROR', 422));
