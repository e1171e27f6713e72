import { comparisonForm, limits, type ReferenceName } from '@dealkeep/contract';
import { valueAt } from '../records/api-record.ts';
import { referenceOf } from '../references.ts';
import { operationOf } from '../registry.ts';
import { pageIn, recordIn } from '../requests/answer.ts';
import type { Api } from '../requests/api.ts';
import { partsOf } from './body-of.ts';
import type { FormField } from './form-field.ts';
import { InputProblem } from './input-problem.ts';
import { isEmpty } from './is-empty.ts';
import { isLocal, readMoment } from './read-moment.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Which items of a list of names a person can have written by hand, several in one text: each box of a form is an
 * item, or a list comes from a choice or an earlier step unless it is one text alone.
 */
export type HandWritten = 'each item' | 'one text alone';

/**
 * What was filled in, with what only the organization can tell: the moment of a time without an offset, by its time
 * zone, and whether a text with commas is one tag. It is asked only where there is such a value. Throws with the
 * field's label when a moment cannot be told.
 */
export async function resolveInput(
  api: Api,
  fields: readonly FormField[],
  input: Input,
  handWritten: HandWritten,
): Promise<Record<string, unknown>> {
  const [moments, names] = await Promise.all([
    momentsIn(api, fields, input),
    namesIn(api, fields, input, handWritten),
  ]);
  return { ...input, ...moments, ...names };
}

/** The one text of a field; undefined for everything else, which is judged where all values are. */
function textIn(input: Input, { key }: FormField): string | undefined {
  const [value, ...others] = [input[key]].flat(Number.POSITIVE_INFINITY).filter((item) => !isEmpty(item));
  return typeof value === 'string' && others.length === 0 ? value : undefined;
}

async function momentsIn(
  api: Api,
  fields: readonly FormField[],
  input: Input,
): Promise<Record<string, string>> {
  const written = fields.flatMap((field) => {
    const text = field.type === 'datetime' && !field.list ? textIn(input, field) : undefined;
    return text === undefined ? [] : [{ field, text }];
  });
  const timeZone = written.some(({ text }) => isLocal(text)) ? await timeZoneOf(api) : 'UTC';
  return Object.fromEntries(
    written.map(({ field, text }) => [field.key, momentOf(field, text.trim(), timeZone)]),
  );
}

function momentOf({ label }: FormField, text: string, timeZone: string): string {
  const reading = readMoment(text, timeZone);
  switch (reading?.is) {
    case 'moment':
      return reading.utc;
    case 'twice':
      throw new InputProblem(
        `${label}: The clocks of ${timeZone} show "${text}" twice, because summer time ends. Add the offset, such as ${text}+02:00.`,
      );
    case 'never':
      throw new InputProblem(
        `${label}: The clocks of ${timeZone} never show "${text}", because summer time begins. Write another time.`,
      );
    case undefined:
      throw new InputProblem(
        `${label}: "${text}" is not a date and time with one meaning. Write it as 2026-08-14T10:00, or with its offset: 2026-08-14T10:00+02:00.`,
      );
  }
}

async function timeZoneOf(api: Api): Promise<string> {
  const me = recordIn(await api.call({ operation: operationOf('me.get') }));
  return String(valueAt(me, ['organization', 'time_zone']));
}

async function namesIn(
  api: Api,
  fields: readonly FormField[],
  input: Input,
  handWritten: HandWritten,
): Promise<Record<string, unknown[]>> {
  const lists = fields.flatMap(({ key, list, nameOf }) => {
    const items = [input[key]].flat(Number.POSITIVE_INFINITY).filter((item) => !isEmpty(item));
    const canBeSeveral = handWritten === 'each item' || items.length === 1;
    return list && nameOf && canBeSeveral && items.some(isParted) ? [{ key, nameOf, items }] : [];
  });
  const resolved = lists.map(async ({ key, nameOf, items }) => {
    const each = items.map(async (item) =>
      isParted(item) && !(await isName(api, nameOf, item)) ? partsOf(item) : [item],
    );
    return [key, (await Promise.all(each)).flat()] as const;
  });
  return Object.fromEntries(await Promise.all(resolved));
}

const isParted = (item: unknown): item is string => typeof item === 'string' && item.includes(',');

/** What the API answers a connection that may not list the records. */
const forbidden = 403;

/** Whether a record has exactly this name. A connection that may not list them cannot know. */
async function isName(api: Api, nameOf: ReferenceName, text: string): Promise<boolean> {
  const operation = operationOf(referenceOf(nameOf).list);
  const query = { q: text.trim(), limit: limits.pageSizeMaximum };
  const answer = await api.call({ operation, query, accept: [forbidden] });
  if (answer.status === forbidden) return false;
  const wanted = comparisonForm(text);
  return pageIn(answer).items.some(({ name }) => comparisonForm(String(name)) === wanted);
}
