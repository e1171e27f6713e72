import {
  bareSchema,
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
} from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { execute } from '@dealkeep/core/operations';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { addressOf, everyList } from './every-list.ts';

const dealkeep = await sharedDealkeep();
const business = await openBusiness(dealkeep);
const { api } = business;
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

const noNumbers = ['ten', '', '1e1', ' 5', '0x10', 'NaN', 'Infinity', 'null'];
/** Numbers that not every parameter takes. */
const numbers = ['0', '101', '-1', '1.5', '9'.repeat(30)];
const moments = [
  '',
  'yesterday',
  '2026-10-01',
  '2026-10-01T09:30:00',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-10-01T25:00:00Z',
  '2026-10-01T00:00:00+99:00',
  '2026-10-01 00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-01:00',
  '1790000000',
  'infinity',
  'now',
];

/** Values that no parameter of this kind can have. */
function badValues(schema: z.core.$ZodType): string[] {
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodEnum) return ['', 'nonsense', 'null', '__proto__', '-'];
  if (bare instanceof z.ZodBoolean) return ['', 'TRUE', '1', 'yes', 'null'];
  if (bare instanceof z.ZodUUID) return ['', '1', 'null', '01985f6e-2c41-7d3a-9b52', "' or 1=1"];
  if (bare instanceof z.ZodISODateTime) return moments;
  if (bare instanceof z.ZodNumber) {
    return [...noNumbers, ...numbers.filter((value) => !bare.safeParse(Number(value)).success)];
  }
  return ['a\0b', '\0'];
}

/** As it is sent: a parameter that takes any names with one of them. */
const sentAs = (name: string, schema: z.core.$ZodType): string =>
  bareSchema(schema).bare instanceof z.ZodRecord ? `${name}[Segment]` : name;

const credential = await dealkeep.core.credentials.find(
  { authorization: `Bearer ${business.organization.key}`, userAgent: undefined },
  'api',
);

/** What a query is refused with, past HTTP: code, parameter and message. */
async function refusal(id: OperationId, ...query: (readonly [name: string, value: string])[]) {
  const path = { id: nobody, type: 'lead.created', delivery_id: 'evt_unknown' };
  const receive = async () => ({ bytes: Buffer.from('{}'), parse: () => ({}) });
  const asked = execute(
    dealkeep.core,
    credential,
    id,
    { path, query, receive },
    { encode: () => ({ status: 200, body: '', noStore: false }) },
  );
  try {
    await asked;
    return 'nothing';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, detail } = error.body('en').error;
    return { code, message, parameter: Reflect.get(Object(detail), 'parameter') };
  }
}

test.each(everyList.map((list) => [list.path, list] as const))(
  '%s refuses bad values, and what is sent twice, and names the parameter (rule http 7)',
  async (path, { id, parameters }) => {
    for (const [declared, schema] of Object.entries(parameters)) {
      const name = sentAs(declared, schema);
      const expected = {
        code: 'INVALID_PARAMETER',
        parameter: name,
        message: expect.stringContaining(name),
      };
      expect([name, await refusal(id, [name, '1'], [name, '1'])]).toEqual([name, expected]);
      if (declared === 'cursor') continue;
      const bad = badValues(schema);
      expect(bad.length).toBeGreaterThan(name === 'limit' ? noNumbers.length + 4 : 0);
      for (const value of bad) {
        expect([name, value, await refusal(id, [name, value])]).toEqual([name, value, expected]);
      }
    }
    const address = await addressOf(dealkeep, business, path);
    for (const query of ['limit=0', 'limit=1&limit=1']) {
      const refused = await api.send('GET', `${address}?${query}`);
      expect([refused.outcome, refused.error.detail]).toEqual([
        '400 INVALID_PARAMETER',
        { parameter: 'limit' },
      ]);
    }
  },
);

test('a bad e-mail is no e-mail, and too long a text too long', async () => {
  const ask = async (query: string) => (await api.send('GET', `/companies?${query}`)).outcome;
  expect(await ask('email=nobody')).toBe('400 INVALID_PARAMETER');
  expect(await ask('email=')).toBe('400 INVALID_PARAMETER');
  expect(await ask(`registration_id=${'1'.repeat(21)}`)).toBe('400 INVALID_PARAMETER');
  expect(await ask(`registration_id=${'%F0%9F%9A%B2'.repeat(20)}`)).toBe('200');
  expect(await ask('country_code=sk')).toBe('400 INVALID_PARAMETER');
});

test.each(operationIds.map((id): [OperationId, OperationDeclaration] => [id, operations[id]]))(
  '%s refuses parameters that it does not have (rule http 7)',
  async (id, { method, path, query }) => {
    // Whatever is no parameter of this very operation.
    const unknown = [
      'nonsense',
      'Limit',
      'limit[]',
      'filter[name]',
      '__proto__',
      'constructor',
      'note',
      'id',
      '',
    ].concat(query ? [] : ['limit', 'q', 'cursor']);
    for (const name of unknown) {
      expect([name, await refusal(id, [name, '1'])]).toMatchObject([
        name,
        { code: 'UNSUPPORTED_FILTER', parameter: name },
      ]);
    }
    const address = path.replace(/\{(uu)?id\}/, nobody).replace('{type}', 'lead.created');
    const refused = await api.send(method, `${address}?nonsense=1`, {
      ...(method === 'POST' || method === 'PATCH' ? { json: {} } : {}),
    });
    expect([refused.outcome, refused.error.detail]).toEqual([
      '400 UNSUPPORTED_FILTER',
      { parameter: 'nonsense' },
    ]);
  },
);

test('a query that is no query asks for nothing', async () => {
  expect((await api.send('GET', '/companies?')).outcome).toBe('200');
  expect((await api.send('GET', '/companies?limit=1#q=x')).outcome).toBe('200');
  expect((await api.send('GET', '/companies?q=%ff%fe')).outcome).toBe('200');
  expect((await api.send('GET', '/companies?q=%zz&limit=1')).outcome).toBe('200');
  expect((await api.send('GET', '/companies?&&')).outcome).toBe('200');
});
