import { comparisonForm } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const { sql } = await sharedDealkeep();

const inDatabase = async (texts: readonly string[]): Promise<string[]> =>
  (
    await sql<{ form: string }[]>`
      select comparison_form(said) as form from unnest(${texts}::text[]) with ordinality as each (said, place)
      order by place`
  ).map(({ form }) => form);

test.each([
  ['case', 'žltý kôň', ['ŽLTÝ KÔŇ', 'Žltý Kôň']],
  ['Unicode form', 'žltý', ['žltý'.normalize('NFD'), 'ŽLTÝ'.normalize('NFD')]],
  [
    'kinds of blanks and their number',
    'a b',
    [' a  b ', 'a\u00a0b', 'a\u202fb', 'a\tb\n', '\u3000A\u2003\u00a0b', 'a\u2028b'],
  ],
  ['signs that take no room', 'info', ['in\u00adfo', '\u200binfo', 'info\ufeff', '\u202ainfo\u202c']],
  ['the dot of an i', 'iiii', ['İIıi', 'I\u0307iıi\u0307', 'i\u0307\u0307iii']],
  ['Greek forms', 'οδυσσευσ', ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς']],
  ['case of other alphabets', 'общество ґ ა ա ꭵ'.replace('ꭵ', 'Ꭵ'), ['ОБЩЕСТВО Ґ Ა Ա ꭵ']],
  ['case beyond the first plane', '\u{1e922}\u{10428}', ['\u{1e900}\u{10400}']],
  ['small forms of sharp s, micro and Kelvin', 'ß μ k å', ['ẞ µ \u212a \u212b']],
])('texts are compared without %s (rule bodies 28)', async (_what, form, texts) => {
  const all = [form, ...texts];
  expect(all.map(comparisonForm)).toEqual(all.map(() => form));
  expect(await inDatabase(all)).toEqual(all.map(() => form));
});

test('texts that differ in letters, accents or signs stay apart (rule bodies 28)', async () => {
  const texts = [
    'zlty',
    'žlty',
    'žltý',
    'strasse',
    'straße',
    'a-b',
    'a–b',
    'ab',
    'a b',
    'ﬁ',
    'fi',
    '２',
    '2',
    'í',
    'i',
  ];
  expect(new Set(texts.map(comparisonForm)).size).toBe(texts.length);
  expect(await inDatabase(texts)).toEqual(texts.map(comparisonForm));
});

test('the database and JavaScript fold every sign of the usual alphabets alike, alone and with marks', async () => {
  const signs = Array.from({ length: 0x2c00 }, (_, code) => String.fromCodePoint(code)).slice(1);
  const marked = signs
    .filter((sign) => /\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|[\u0300-\u036f]/u.test(sign))
    .map((sign) => `${sign}\u0307\u0323 i${sign}x${sign}`);
  const forms = await inDatabase([...signs, ...marked]);
  const own = [...signs, ...marked].map(comparisonForm);
  expect(forms.filter((form, index) => form !== own[index])).toEqual([]);
  expect(own.filter((form) => comparisonForm(form) !== form)).toEqual([]);
});

test('an index holds the longest name in its longest form', async () => {
  // Each is composed in four bytes and comes apart into three signs of four.
  const name = Array.from({ length: 255 }, (_, index) => String.fromCodePoint(0x1d15e + (index % 7))).join(
    '',
  );
  await sql`create table if not exists longest_names (name text)`;
  await sql`create index on longest_names (comparison_form(name))`;
  await sql`insert into longest_names values (${name})`;
  await sql`drop table longest_names`;
});
