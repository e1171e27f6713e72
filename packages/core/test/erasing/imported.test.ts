import { findSession, type Session } from '@dealkeep/core/accounts';
import {
  chooseMapping,
  createImport,
  getImport,
  readImportedRows,
  startImport,
  workOnImport,
} from '@dealkeep/core/operations';
import { Browser, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import { trace, tracesIn } from './traces.ts';

const dealkeep = await startDealkeep({ worker: false });
const { core } = dealkeep;

/** Imports a file of companies with the mapping that is proposed. */
async function importCompanies(session: Session, file: string): Promise<string> {
  const bytes = new TextEncoder().encode(file);
  const id = await createImport(core, session, { kind: 'company', fileName: 'table.csv', bytes });
  const { mapping, decimal_mark } = await getImport(core, session, id);
  await chooseMapping(core, session, id, { mapping, decimal_mark, match_by: null, fills_short_rows: false });
  const work = async (): Promise<void> => {
    do await workOnImport(core, { organization: session.organization.id, id });
    while (/ing$/.test((await getImport(core, session, id)).status));
  };
  await work();
  await startImport(core, session, id);
  await work();
  return id;
}

test('the row of a file that an erased record came from is overwritten; the others stay (rule erasing 9)', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const sessions = await Promise.all([...browser.cookies.values()].map((token) => findSession(core, token)));
  const session = sessions.find((each) => each !== undefined);
  if (!session) throw new Error('Nobody is signed in');
  const id = await importCompanies(session, `Name,Note\nAcme ${trace},x ${trace}\nStays,Kept\n`);
  const companies = (await api.get('/companies', { sort: 'name' })).page.data;
  expect(companies.map(({ name }) => name)).toEqual([`Acme ${trace}`, 'Stays']);
  await api.send('POST', `/companies/${companies[0]?.id}/erase`);
  expect(await tracesIn(dealkeep)).toEqual([]);
  const rows = await readImportedRows(core, session, { id }, { limit: 10 });
  expect(rows).toMatchObject([
    { line: 2, state: 'created', cells: ['', ''], record_id: companies[0]?.id },
    { line: 3, state: 'created', cells: ['Stays', 'Kept'] },
  ]);
});
