import { oneServer } from '@dealkeep/core/foundations';
import { eventually, fillTable, startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../src/accounts/users/users.ts';
import { textOrder } from '../../src/change/paging/list-page.ts';
import { contains, hiddenOrganization, soughtIn } from '../../src/change/paging/search.ts';
import { idsOfPage } from '../../src/change/paging/searched-page.ts';
import type { Fragment, Nested } from '../../src/foundations/database/connect.ts';
import { stageTotals } from '../../src/records/leads/read.ts';
import { askedPart, candidatesOf } from '../../src/records/search/candidates.ts';
import { searchedRecords } from '../../src/records/search/statement.ts';

const { sql, core, createOrganization } = await startDealkeep({ worker: false });

/**
 * Has PostgreSQL know of every page that all of its rows are visible to everybody: not before all transactions have
 * ended that were there when they came, the server's own ones, too.
 */
async function vacuumed(table: string): Promise<void> {
  await eventually(async () => {
    await sql`vacuum analyze ${sql(table)}`;
    const [pages] = await sql`
      select relpages as all, relallvisible as visible from pg_class where oid = ${table}::regclass`;
    expect(pages?.['visible']).toBe(pages?.['all']);
  });
}

/** What a statement does when it is executed. */
async function planOf(statement: Nested): Promise<string> {
  const rows = await sql<{ 'QUERY PLAN': string }[]>`
    explain (analyze, costs off, timing off, summary off, buffers off) ${statement}`;
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/**
 * How many rows of tables are read, those with them that are not what was looked for. Entries of indexes do not
 * count.
 */
function rowsRead(plan: string): number {
  const scans = plan
    .split('->')
    .filter((node) => /^ +(?:Bitmap Heap|Index|Index Only|Seq) Scan\b/.test(node));
  const read = scans.map((node) => {
    const [, rows = '', loops = ''] = /rows=([\d.]+) loops=(\d+)/.exec(node) ?? [];
    const removed = [...node.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g)];
    return (Number(rows) + removed.reduce((sum, [, each]) => sum + Number(each), 0)) * Number(loops);
  });
  if (read.length === 0) throw new Error(`Nothing is read:\n${plan}`);
  return read.reduce((sum, each) => sum + each, 0);
}

/** A page of the companies that have a term, the youngest first. */
const listed = (organization: string, term: string): Fragment =>
  idsOfPage(sql, {
    organization,
    placement: oneServer,
    term,
    sought: soughtIn(sql, term, searchedRecords.company.searchedTexts),
    table: 'companies',
    alias: 'c',
    sortedBy: 'created_at',
    order: sql`c.created_at desc, c.id desc`,
    place: [],
    others: [],
    limit: sql`26`,
  });

/** Common and rare ones, such as have no trigrams, and such as nothing has. */
const terms = [
  's',
  '9',
  '99',
  'sp',
  'spolocnost',
  'nost 9',
  'nost 999',
  '%',
  'qx',
  'x'.repeat(1000),
  'ž'.repeat(900),
];

const [many, here, elsewhere] = await Promise.all(
  Array.from({ length: 3 }, async () => (await createOrganization()).id),
);
if (!many || !here || !elsewhere) throw new Error('Unreachable: there are three');

beforeAll(async () => {
  await fillTable(
    sql,
    'companies',
    (tx) => tx`
      insert into companies (organization_id, id, name, created_at, updated_at)
      select organization, gen_random_uuid(), name || ' ' || n, now(), now() - n * interval '1 s'
      from (values (${many}::uuid, 'Spoločnosť', 100000), (${here}, 'Pekáreň', 20000), (${elsewhere}, 'Kaviareň', 20000))
             as filled (organization, name, count),
           generate_series(1, count) n`,
  );
  await sql`vacuum analyze companies`;
});

describe('among 100,000 companies', () => {
  const organization = many;

  test.each<[string, () => Fragment]>([
    ['the first page', () => sql``],
    [
      'any other',
      () =>
        sql`and (${sql.unsafe(`c.name ${textOrder}`)}, c.id) > ((select 'Spoločnosť 5'::text), (select ${organization}::uuid))`,
    ],
  ])('they are listed by name along an index: %s', async (_, from) => {
    const rows = await sql<{ 'QUERY PLAN': string }[]>`
      explain select c.* from companies c where c.organization_id = ${organization} ${from()}
      order by ${sql.unsafe(`c.name ${textOrder}`)} asc, c.id asc limit 51`;
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('companies_by_name');
    expect(plan).not.toContain('Sort');
  });

  test.each(terms)('a search over everything reads few whatever is typed: %s', async (term) => {
    const parts = [
      askedPart(sql, { organization, term, isPhone: false }),
      ...candidatesOf(
        { sql, organization: hiddenOrganization({ sql, organization, placement: oneServer }, 'asked') },
        'company',
        searchedRecords.company,
        'found',
      ),
    ]
      .map(({ name, rows }): Fragment => sql`${sql.unsafe(name)} as materialized (${rows})`)
      .reduce((all, each) => sql`${all}, ${each}`);
    const plan = await planOf(sql`with ${parts} select * from found`);
    expect(plan).not.toContain('Seq Scan');
    expect(rowsRead(plan), plan).toBeLessThanOrEqual(2000);
  });

  test.each([...terms, 'nost 99'])(
    'a page of a list reads few rows whatever is searched for: %s',
    async (term) => {
      const plan = await planOf(listed(organization, term));
      expect(plan).not.toContain('Seq Scan');
      expect(rowsRead(plan), plan).toBeLessThanOrEqual(5000);
    },
  );

  test('a list is not read in its order for what few have, although a name that PostgreSQL knows has it', async () => {
    for (let number = 100; number < 300; number += 2) {
      const plan = await planOf(sql`
        select id from companies c where c.organization_id = ${organization}
          and ${contains(sql, `nost ${number}`, 'c.name', 'c.registration_id')}
        order by c.created_at desc, c.id desc limit 26`);
      expect(rowsRead(plan), plan).toBeLessThanOrEqual(2000);
    }
  });
});

test('a term that is rare here and common elsewhere is found without what others have', async () => {
  for (const term of ['kaviaren', 'kaviaren 19', 'v', 'av', 'karen']) {
    const plan = await planOf(listed(here, term));
    expect(rowsRead(plan), plan).toBeLessThanOrEqual(1000);
  }
});

describe('among 100,000 leads', () => {
  let organization = '';
  const owners: string[] = [];
  const beginners: string[] = [];
  const stages = { often: '', seldom: '', rare: '' };
  beforeAll(async () => {
    const made = await createOrganization();
    organization = made.id;
    const open = await sql<{ id: string; pipeline_id: string }[]>`
      select id, pipeline_id from stages where organization_id = ${organization} and kind = 'open' order by position`;
    const [often, seldom, rare] = open;
    if (!often || !seldom || !rare) throw new Error('A new organization has three open stages');
    Object.assign(stages, { often: often.id, seldom: seldom.id, rare: rare.id });
    const stageOf = (kind: string) => sql`
      (select id from stages where organization_id = ${organization} and kind = ${kind} limit 1)`;
    const colleague = async (name: string) => {
      const email = `${name}@${made.slug}.example`;
      return (await createUser(core, { organization: made.slug, name, email, role: 'owner' })).id;
    };
    owners.push(made.ownerId, await colleague('eva'));
    beginners.push(await colleague('jan'), await colleague('ema'));
    await fillTable(
      sql,
      'leads',
      (tx) => tx`
        insert into leads (organization_id, id, name, note, pipeline_id, stage_id, status, owner_id, stage_entered_at, won_at, lost_at, created_at, updated_at)
        select ${organization}, gen_random_uuid(), 'Lead ' || n, repeat('said ', 40), ${often.pipeline_id},
               case status when 'won' then ${stageOf('won')} when 'lost' then ${stageOf('lost')}
                 else case when n <= 60 then ${seldom.id}::uuid when n <= 120 then ${rare.id}::uuid else ${often.id}::uuid end end,
               status, case when n % 10000 = 7 then (${beginners}::uuid[])[1 + n / 10000 % 2] else (${owners}::uuid[])[1 + n % 3] end, now(), case status when 'won' then now() end,
               case status when 'lost' then now() end, now() - n * interval '1 s', now()
        from (select n, (array['open', 'won', 'lost'])[1 + n % 3] as status
              from generate_series(1, 100000) n) numbered`,
    );
    await vacuumed('leads');
  });

  test('what stands above the columns of a board is counted from an index alone', async () => {
    const [pipeline] = await sql<{ id: string }[]>`
      select pipeline_id as id from stages where organization_id = ${organization} and id = ${stages.often}`;
    const plan = await planOf(stageTotals({ sql, organization }, { pipeline_id: pipeline?.id ?? '' }));
    expect(plan).toContain('Index Only Scan using leads_counted');
    expect(plan).toContain('Heap Fetches: 0');
    expect(plan).toMatch(/rows=100000\b/);
  });

  test.each<[string, () => Fragment]>([
    ['status=open,won', () => sql`(l.status = ${'open'} or l.status = ${'won'})`],
    [
      'stage_id=, a frequent one and a rare one',
      () => sql`(l.stage_id = ${stages.often} or l.stage_id = ${stages.rare})`,
    ],
    ['stage_id=, two rare ones', () => sql`(l.stage_id = ${stages.seldom} or l.stage_id = ${stages.rare})`],
    [
      'stage_id=, one that there is not',
      () => sql`(l.stage_id = ${stages.rare} or l.stage_id = ${organization})`,
    ],
    [
      'owner_id=, two who have few',
      () => sql`(l.owner_id = ${beginners[0] ?? ''} or l.owner_id = ${beginners[1] ?? ''})`,
    ],
    [
      'owner_id=, two of three leads',
      () => sql`(l.owner_id = ${owners[0] ?? ''} or l.owner_id = ${owners[1] ?? ''})`,
    ],
  ])('a filter with several values is answered along an index: %s', async (_, condition) => {
    const plan = await planOf(sql`
      select id from leads l where l.organization_id = ${organization} and ${condition()}
      order by l.created_at desc, l.id desc limit 51`);
    expect(plan).toMatch(/leads_created|leads_stage|leads_owner/);
    expect(plan).not.toContain('Seq Scan');
    expect(rowsRead(plan), plan).toBeLessThanOrEqual(2000);
  });
});
