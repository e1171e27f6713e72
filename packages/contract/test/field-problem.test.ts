import { expect, test } from 'vitest';
import * as z from 'zod';
import { fieldError, fieldProblems, type OperationDeclaration, operations } from '../src/index.ts';

/** What people read about a body that an operation refuses, by path, in English and in Slovak. */
function complaints(id: keyof typeof operations, value: unknown): Record<string, string[]> {
  const { body }: OperationDeclaration = operations[id];
  const { error } = z.safeParse(body ?? z.never(), value);
  const problems = error ? fieldProblems(error, value) : [];
  return Object.fromEntries(
    problems.map((each) => [
      each.path,
      (['en', 'sk'] as const).map((language) => fieldError(each, language).message),
    ]),
  );
}

test('a value of another type is told in words of the reader’s language', () => {
  const wrong = { name: 5, value: '5', assignee_ids: 'x', company: 'Acme' };
  expect(complaints('leads.create', wrong)).toEqual({
    name: ['This must be a text.', 'Toto musí byť text.'],
    value: ['This must be a number.', 'Toto musí byť číslo.'],
    assignee_ids: ['This must be an array.', 'Toto musí byť pole (array).'],
    company: ['This must be an object.', 'Toto musí byť objekt.'],
  });
  expect(complaints('contacts.create', { name: 'Eva', company_id: undefined, is_primary: 1 })).toMatchObject({
    is_primary: ['This must be true or false.', 'Toto musí byť true alebo false.'],
  });
});

test('a wrong country is told by an example, not by a part of the list', () => {
  expect(complaints('companies.create', { name: 'Acme', country_code: 'sk' })).toEqual({
    country_code: [
      'This is not a country code of two upper-case letters (ISO 3166-1), such as SK.',
      'Toto nie je kód krajiny z dvoch veľkých písmen (ISO 3166-1), napríklad SK.',
    ],
  });
});

test('too few entries are told in a sentence that is right for any number', () => {
  expect(complaints('invoices.create', { items: [] })).toEqual({
    items: ['The number of entries must be at least 1.', 'Počet položiek musí byť aspoň 1.'],
  });
});
