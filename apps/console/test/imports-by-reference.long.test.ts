import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { check, mainTextOf, run, upload, utf8 } from './csv-imports.ts';
import { unseenInConsole } from './unseen-pages.ts';

const dealkeep = await startDealkeep();

test('an import finds by an id or a name only what a person may see, in its preview and its report (rules importing 6 and scopes 13)', async () => {
  const { records, browser } = await unseenInConsole(dealkeep);
  const { unseen, own, api } = records;
  const table = [
    'Name,Company,Position',
    `By id,${unseen.company},`,
    'By name,Veiled Works,',
    'By e-mail,office@veiled.example,',
    'By registration,87654321,',
    'Of own,Plain Works,',
  ].join('\n');
  const uploaded = await upload(browser, '/contacts', utf8(table));
  const checked = await check(browser, uploaded);
  const text = mainTextOf(checked);
  for (const secret of ['veronika@veiled.example', '+421900111222']) expect(text).not.toContain(secret);
  await run(browser, checked);
  const made = await api.get('/contacts', { sort: '-created_at', limit: 5 });
  const of = made.page.data.map((each) => {
    const { name, company } = Object(each);
    return [name, company.id];
  });
  expect(of).toContainEqual(['Of own', own.company]);
  expect(of.some(([name]) => String(name).startsWith('By '))).toBe(false);
});
