import { limits } from '@dealkeep/contract';
import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiKey } from '../src/index.ts';
import { ask, list, type Setting, type Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

const dealkeep = await sharedDealkeep();
let requests = 0;
const { platform, newAccount } = await startPrivate(dealkeep, {
  ...apiKey,
  // Every request asks for the address once.
  apiRoot: (z, bundle) => {
    requests += 1;
    return apiKey.apiRoot(z, bundle);
  },
});
const companies = Array.from({ length: 250 }, (_, index) => `Company ${index}`);
const contacts = Array.from({ length: 103 }, (_, index) => `Contact ${index}`);

let setting: Setting;
let owner: string;
let lastPipeline: string;

beforeAll(async () => {
  const account = await newAccount();
  setting = account.setting;
  const make = async (path: string, items: readonly Values[]) => {
    for (let begin = 0; begin < items.length; begin += limits.batchItems) {
      const part = items.slice(begin, begin + limits.batchItems);
      await ask(setting, 'POST', `${path}/batch`, { operation: 'create', items: part });
    }
  };
  await make(
    '/companies',
    companies.map((name) => ({ name })),
  );
  owner = String((await ask(setting, 'POST', '/companies', { name: 'Of the contacts' }))['id']);
  await make(
    '/contacts',
    contacts.map((name) => ({ name, company_id: owner })),
  );
  await dealkeep.sql`
    insert into pipelines (organization_id, id, name, created_at, updated_at)
    select ${account.organization.id}, gen_random_uuid(), 'Pipeline ' || number, now(), now()
    from generate_series(1, 110) number`;
  await dealkeep.sql`
    insert into stages (organization_id, id, pipeline_id, name, kind, probability, position)
    select organization_id, gen_random_uuid(), id, 'Only stage', 'open', 10, 0
    from pipelines where organization_id = ${account.organization.id} and name like 'Pipeline %'`;
  const values = { name: 'Pipeline 99b', is_default: false, require_lost_reason: false };
  lastPipeline = (await inConsole(dealkeep.core, account.organization, 'pipelines.add', values)).id;
});

/** The choices of a dropdown on a page, as the editor asks for them. */
const page = (key: string, number: number, input: Record<string, unknown> = {}) =>
  list(setting, `triggers.${key}`, input, { page: number, isFillingDynamicDropdown: true });

/** All pages, one after the other, until one is empty. */
async function pagesOf(key: string, input: Record<string, unknown> = {}) {
  const pages = [];
  for (let number = 0; ; number += 1) {
    const choices = await page(key, number, input);
    if (choices.length === 0) return pages;
    pages.push(choices);
  }
}

describe('a dropdown of more than a page (rule connectors 4)', () => {
  test('loads page after page, each record once, and ends', async () => {
    const pages = await pagesOf('list_companies');
    const ids = pages.flat().map(({ id }) => id);
    expect(pages.slice(0, -1).every(({ length }) => length === 100)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(pages.flat().map(({ name }) => name)).toEqual(expect.arrayContaining(companies));
  });

  test('keeps the cursor between the pages: each is one request', async () => {
    requests = 0;
    expect(await pagesOf('list_companies')).toHaveLength(3);
    // The page after the last one is known to be empty without asking.
    expect(requests).toBe(3);
  });

  test('finds its place again when the cursor is forgotten', async () => {
    const third = await page('list_companies', 2);
    platform.rpc.cursors.clear();
    expect(await page('list_companies', 2)).toEqual(third);
    expect(await page('list_companies', 9)).toEqual([]);
  });

  test('can begin again, and go back', async () => {
    const [first, second] = [await page('list_companies', 0), await page('list_companies', 1)];
    expect(await page('list_companies', 0)).toEqual(first);
    expect(await page('list_companies', 1)).toEqual(second);
    expect(await page('list_companies', 1)).toEqual(second);
  });

  test('that follows its parent does not go on in the list of another one', async () => {
    const pages = await pagesOf('list_contacts', { company_id: owner });
    expect(pages.map(({ length }) => length)).toEqual([100, 3]);
    const others = await page('list_contacts', 0);
    const rest = await page('list_contacts', 1, { company_id: owner });
    expect(others).toHaveLength(100);
    expect(rest).toEqual(pages[1]);
  });
});

describe('a dropdown of stages (rule connectors 4)', () => {
  test('finds the chosen pipeline on whatever page of pipelines it stands', async () => {
    const [, second] = await pagesOf('list_pipelines');
    expect(second?.map(({ id }) => id)).toContain(lastPipeline);
    const chosen = { pipeline_id: lastPipeline };
    const stages = await page('list_stages', 0, chosen);
    expect(stages.length).toBeGreaterThan(0);
    expect(await page('list_stages', 1, chosen)).toEqual([]);
  });

  test('of all pipelines names each by its pipeline', async () => {
    const [first] = await pagesOf('list_stages');
    expect(first?.[0]?.['name']).toMatch(/^.+: .+$/);
  });
});

test('a dropdown of leads leaves out what has been put away', async () => {
  const lead = await ask(setting, 'POST', '/leads', { name: 'Put away' });
  const offered = async () => (await pagesOf('list_leads')).flat().map(({ id }) => id);
  expect(await offered()).toContain(lead['id']);
  await ask(setting, 'POST', `/leads/${lead['id']}/archive`, {});
  expect(await offered()).not.toContain(lead['id']);
});
