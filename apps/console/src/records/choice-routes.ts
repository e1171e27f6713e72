import { type ReferenceName, references, unaccentedForm } from '@dealkeep/contract';
import type { Hono } from 'hono';
import { isPermitted } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import {
  type Choice,
  choiceOf,
  findCustomers,
  findRecords,
  isSearched,
  mostOffered,
} from '../forms/choices.ts';
import { formSay } from '../forms/texts.ts';
import { typeNumber } from '../values/numbers.ts';
import type { ShownRecord } from '../values/shown-record.ts';
import { kindOf } from './record-kinds.ts';

const longestQuery = 200;

/** What a form's script offers while somebody types: `/choices/company?q=tatra`. The role judges what is found. */
export function choiceRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get('/choices/:reference', async (c, next) => {
    const name = c.req.param('reference');
    const reference = searchedReferences.find((each) => each === name);
    if (reference === undefined && name !== 'customer') return next();
    const typed = (c.req.query('q') ?? '').toWellFormed().replaceAll('\0', '').trim();
    const q = [...typed].slice(0, longestQuery).join('');
    const choices = bestFirst(q, reference ? await offersOf(c, reference, q) : await findCustomers(c, q));
    const create = newOf(c, reference ?? 'company', q);
    return c.json({ said: countOf(c, choices.length), choices, ...(create ? { create } : {}) });
  });
}

const searchedReferences = (Object.keys(references) as ReferenceName[]).filter(isSearched);

async function offersOf(c: ConsoleContext, reference: ReferenceName, q: string): Promise<Choice[]> {
  const parent = c.req.query('parent') ?? '';
  const found = await findRecords(c, reference, { q, inUse: true, ...(isId(parent) ? { parent } : {}) });
  return found.map((record) => ({
    ...choiceOf(c, reference, record),
    ...(reference === 'product' ? { fills: lineOf(c, record) } : {}),
  }));
}

const isId = (text: string): boolean => /^[0-9a-f-]{36}$/i.test(text);

/** What a line of a product begins with, as somebody would type it. */
function lineOf(c: ConsoleContext, record: ShownRecord): Record<string, string> {
  const price = record['discounted_price'] ?? record['price'];
  const language = c.get('language');
  const { currency } = sessionOf(c).organization;
  const rate = record['vat_rate'];
  return {
    ...(typeof price === 'number' ? { unit_price: typeNumber(language, price, currency) } : {}),
    ...(typeof rate === 'number' ? { vat_rate: typeNumber(language, rate) } : {}),
  };
}

/** Those whose names begin with what is typed stand before those that hold it elsewhere; else the order stays. */
function bestFirst(q: string, offers: readonly Choice[]): Choice[] {
  const begins = ({ name }: Choice): number => Number(unaccentedForm(name).startsWith(unaccentedForm(q)));
  return offers.toSorted((a, b) => begins(b) - begins(a));
}

function countOf(c: ConsoleContext, count: number): string {
  const text = formSay(c.get('language'));
  if (count === 0) return text('nothingFits');
  if (count === mostOffered) return text('moreFound', { count });
  return count === 1 ? text('oneFound') : text('found', { count });
}

/** The form that makes a record of this name, where the role may and a name is enough to begin with. */
function newOf(
  c: ConsoleContext,
  reference: ReferenceName,
  name: string,
): { said: string; path: string } | undefined {
  const kind = kindOf(reference);
  if (name === '' || !kind?.create || !isPermitted(c, kind.resource, kind.create)) return undefined;
  if (!kind.create.fields.some((field) => field.name === 'name')) return undefined;
  const text = formSay(c.get('language'));
  return { said: text('makeNew', { name }), path: `${kind.path}/new` };
}
