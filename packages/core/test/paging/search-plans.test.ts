import { fillTable, startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { contains } from '../../src/change/paging/search.ts';
import type { Fragment } from '../../src/foundations/database/connect.ts';

const { sql, createOrganization, as } = await startDealkeep({ worker: false });

async function planOf(statement: Fragment): Promise<string> {
  const rows = await sql<{ 'QUERY PLAN': string }[]>`explain ${statement}`;
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('among many leads', () => {
  let organization: Awaited<ReturnType<typeof createOrganization>>;
  beforeAll(async () => {
    organization = await createOrganization();
    const { id } = organization;
    await fillTable(
      sql,
      'leads',
      (tx) => tx`
        insert into leads (organization_id, id, name, pipeline_id, stage_id, status, stage_entered_at, created_at, updated_at)
        select ${id}, gen_random_uuid(), case n when 1 then 'Žltý 100 % kôň' else 'Fleet renewal ' || n end, pipeline_id, id,
               'open', now(), now() - n * interval '1 s', now()
        from (select pipeline_id, id from stages where organization_id = ${id} and kind = 'open' limit 1) stage,
             generate_series(1, 10000) n`,
    );
    await sql`analyze leads`;
  });

  test.each(['seldom', 'zlty', 'ŽLTÝ', 'ž', 'qx', '%', '_', '%%%', '---', 'žl-ý', 'дом'])(
    'what is searched for anywhere in a name is found along an index, not by reading every lead: %s',
    async (term) => {
      const plan = await planOf(sql`
        select id from leads l where l.organization_id = ${organization.id} and ${contains(sql, term, 'l.name')}
        order by l.created_at desc, l.id desc limit 51`);
      expect(plan).toContain('leads_text');
    },
  );

  test('what nearly every name has is read in the order of the list, until the page is full', async () => {
    for (const term of ['e', 'renewal', 'fl']) {
      const plan = await planOf(sql`
        select id from leads l where l.organization_id = ${organization.id} and ${contains(sql, term, 'l.name')}
        order by l.created_at desc, l.id desc limit 51`);
      expect(plan, term).toContain('leads_created');
    }
  });

  test.each([
    ['ltý 100 % K', 1],
    ['lty 100 % k', 1],
    ['ŽLT', 1],
    ['zlt', 1],
    ['100 %%', 0],
    ['l 9999', 1],
    ['_', 0],
    ['%', 1],
    ['ž', 1],
    ['kô', 1],
    ['ko\u0302n\u030c', 1],
    ['l%1', 0],
  ])('%s is found by %i', async (q, found) => {
    const { page } = await as(organization.key).get(`/leads?${new URLSearchParams({ q })}`);
    expect(page.data).toHaveLength(found);
  });
});

test.each([
  ['companies', ['name', 'registration_id']],
  ['contacts', ['name', 'email', 'phone']],
  ['clients', ['reference_code', 'reference_name']],
  ['leads', ['name']],
  ['activities', ['name']],
  ['tasks', ['title']],
  ['invoices', ['number']],
  ['quotes', ['number']],
  ['bookings', ['customer_name', 'customer_email']],
  ['orders', ['internal_number', 'customer_name']],
  ['products', ['name']],
])('%s are searched along the index of %j, long terms and short ones', async (table, columns) => {
  await sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    for (const term of ['novak', 'žl']) {
      const rows = await tx<{ 'QUERY PLAN': string }[]>`
        explain select id from ${tx(table)} where ${contains(tx, term, ...columns)}`;
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`${table}_text`);
    }
  });
});

describe('texts as they are compared', () => {
  const folded = async (text: string): Promise<string> => {
    const [row] = await sql<{ text: string }[]>`select searched_text(${text}) as text`;
    return row?.text ?? '';
  };

  test.each([
    ['Žltý KÔŇ', 'zlty kon'],
    ['Žltý'.normalize('NFD'), 'zlty'],
    ['Łódź, Đorđe, Ørsted', 'lodz, dorde, orsted'],
    ['Straße STRASSE ẞ', 'strasse strasse ss'],
    ['Æther œuvre', 'aether oeuvre'],
    ['İstanbul ısı', 'istanbul isi'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['Ёлка Йод', 'елка иод'],
    ['ﬁnance ２０２６ K', 'finance 2026 k'],
    ['100 %_\\', '100 %_\\'],
    ['東京', '東京'],
    ['', ''],
  ])('%s is compared as %s', async (text, as) => {
    expect(await folded(text)).toBe(as);
  });

  test('every part of a text finds it, by whichever index, and nothing that is not in it', async () => {
    const texts = [
      'Žltý kôň',
      'Straße 7',
      'Æ-œ ß',
      'a-b c%d_e\\f',
      'ﬃx',
      'дом Ё',
      'は\u3099ん',
      'ab',
      'ssa',
      'sas',
    ];
    const terms = new Set(
      texts.flatMap((text) => {
        const signs = [...text];
        return signs.flatMap((_, from) =>
          signs.slice(from).map((__, end) => signs.slice(from, from + end + 1).join('')),
        );
      }),
    );
    for (const term of terms) {
      const [row] = await sql<{ found: string[]; expected: string[] }[]>`
        select coalesce(array_agg(x.text) filter (where ${contains(sql, term, 'x.text')}), '{}') as found,
               coalesce(array_agg(x.text) filter (
                 where strpos(searched_text(x.text), searched_text(${term})) > 0), '{}') as expected
        from unnest(${texts}::text[]) x(text)`;
      expect(row?.found, term).toEqual(row?.expected);
      expect(row?.found.length, term).toBeGreaterThan(0);
    }
  });
});
