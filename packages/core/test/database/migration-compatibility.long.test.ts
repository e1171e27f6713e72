import { readdir, readFile } from 'node:fs/promises';
import { testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { livedWith } from '../../src/foundations/database/migrate.ts';
import { statementsOf } from '../../src/foundations/database/statements-of.ts';
import { breaksOf, schemaOf } from './migration-compatibility.ts';

const folder = new URL('../../migrations/', import.meta.url);
const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
const eachByItself = '-- each statement by itself\n';
/** Those before are older than the first release: no version before them runs anywhere. */
const judgedFrom = '0039';

test('processes of the version before live with every migration, or it says why they do', async () => {
  const { sql } = await testDatabase({ migrated: false });
  const refused: Record<string, string[]> = {};
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8');
    const before = await schemaOf(sql);
    for (const part of text.startsWith(eachByItself) ? statementsOf(text) : [text]) await sql.unsafe(part);
    if (name < judgedFrom || livedWith(text) !== undefined) continue;
    const breaks = breaksOf(before, await schemaOf(sql));
    if (breaks.length > 0) refused[name] = breaks;
  }
  expect(refused).toEqual({});
});
