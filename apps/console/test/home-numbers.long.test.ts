import { demoOrganization } from '@dealkeep/core/installation';
import {
  Browser,
  startDealkeep,
  type TestOrganization,
  type VisitedPage,
  WatchedLine,
} from '@dealkeep/testing';
import { defaultPipeline } from '@dealkeep/testing/business';
import { afterAll, describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { signedInUser } from './signed-in-user.ts';

let line: WatchedLine | undefined;
const dealkeep = await startDealkeep({
  worker: false,
  between: async (url) => {
    line = await WatchedLine.open(url, afterAll);
    return line.url;
  },
});
const { sql } = dealkeep;

const owner = () => signedInOwner(dealkeep);

const person = (organization: TestOrganization, permissions: string) =>
  signedInUser(dealkeep, organization, { permissions });

const section = (html: string, id: string): string =>
  html.split(`id="${id}"`)[1]?.split('</section>')[0]?.split('>').slice(1).join('>') ?? '';
const saidIn = (html: string, id: string): string => textOf(section(html, id));
/** Where the heading of a number leads. */
const linkIn = (html: string, id: string): string =>
  (/href="([^"]*)"/.exec(section(html, id))?.[1] ?? '').replaceAll('&amp;', '&');
/** The rows of a list, as text. */
const listed = (html: string): string => textOf(html.split('<tbody>')[1]?.split('</tbody>')[0] ?? '');
const idOf = ({ json }: { json: unknown }): string => Object(json).data.id;
const dayAfter = (days: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Bratislava' }).format(Date.now() + days * 86_400_000);

/** Leads that are open, won this month, won the month before, lost and archived. */
async function withLeads({ organization, api }: Awaited<ReturnType<typeof owner>>, ownerId?: string) {
  const { stages } = await defaultPipeline(api);
  const lead = async (name: string, value: number): Promise<string> =>
    idOf(
      await api.post('/leads', { name, value, dedupe: 'none', ...(ownerId ? { owner_id: ownerId } : {}) }),
    );
  await lead('Open one', 1000);
  const old = await lead('Open for long', 200);
  const [won, wonBefore, lost, archived] = [
    await lead('Won now', 500),
    await lead('Won before', 300),
    await lead('Lost', 40),
    await lead('Archived', 7),
  ];
  for (const id of [won, wonBefore]) await api.post(`/leads/${id}/move`, { stage_id: stages['Won'] });
  await api.post(`/leads/${lost}/move`, { stage_id: stages['Lost'] });
  await api.post(`/leads/${archived}/archive`, {});
  await sql`update leads set created_at = now() - interval '80 days' where id in (${old}, ${wonBefore}, ${lost})`;
  const [{ moment } = { moment: '' }] = await sql<{ moment: string }[]>`
    select (date_trunc('month', now() at time zone 'Europe/Bratislava') - interval '3 days')::text as moment`;
  await sql`update leads set won_at = ${moment}::text::timestamptz where id = ${wonBefore}`;
  await sql`update organizations set time_zone = 'Europe/Bratislava' where id = ${organization.id}`;
}

describe('sales at a glance', () => {
  test('are told with what the month before was, and lead to just these leads', async () => {
    const mine = await owner();
    await withLeads(mine);
    const { html } = await mine.browser.get('/');
    expect(saidIn(html, 'pipeline')).toMatch(/€1,200\.00 Leads: 2/);
    expect(saidIn(html, 'won')).toMatch(/€500\.00 Leads: 1 Last month: €300\.00 \(1\)/);
    const open = (await mine.browser.get(linkIn(html, 'pipeline'))).html;
    expect([open.includes('Open one'), open.includes('Open for long')]).toEqual([true, true]);
    expect(listed(open)).not.toMatch(/Won now|Won before|Lost|Archived/);
    const won = listed((await mine.browser.get(linkIn(html, 'won'))).html);
    expect(won).toContain('Won now');
    expect(won).not.toMatch(/Won before|Open one/);
  });

  test('the line of twelve weeks says what was open as they began', async () => {
    const mine = await owner();
    await withLeads(mine);
    const { html } = await mine.browser.get('/');
    expect(html).toMatch(
      /<svg class="trend"[^>]*role="img" aria-labelledby="pipeline-trend-title pipeline-trend-about">/,
    );
    // Open for 80 days: one that still is, one that was won since, one that was lost today; the first week was
    // before.
    expect(saidIn(html, 'pipeline')).toMatch(
      /From €(?:0|540)\.00 at the beginning to €1,200\.00 now; between €\d+\.00 and €1,200\.00\./,
    );
    expect(/class="trend".*?<polyline points="([^"]*)"/s.exec(html)?.[1]?.split(' ')).toHaveLength(13);
  });

  test('are one’s own where the role shows only those, and nothing where it shows none', async () => {
    const mine = await owner();
    const { id, browser } = await person(mine.organization, 'leads.view=assigned');
    await withLeads(mine);
    await mine.api.post('/leads', { name: 'Hers', value: 9, dedupe: 'none', owner_id: id });
    const { html } = await browser.get('/');
    expect(saidIn(html, 'pipeline')).toMatch(/€9\.00 Leads: 1 /);
    expect(saidIn(html, 'won')).toMatch(/€0\.00 Leads: 0/);
    expect(html).not.toMatch(/id="(?:overdue|my-tasks|bookings-today|activities-today|demo|guide)"/);
    const nobody = await person(mine.organization, 'orders.view=all');
    expect((await nobody.browser.get('/')).html).not.toMatch(/id="(?:pipeline|won|overdue)"/);
  });
});

test('overdue invoices are summed by currency, the oldest first, and lead to just these', async () => {
  const { organization, browser, api } = await owner();
  const company = idOf(await api.post('/companies', { name: 'Tatra Bikes' }));
  const invoice = async (unit_price: number, currency: string): Promise<string> =>
    idOf(
      await api.post('/invoices', { company_id: company, currency, items: [{ name: 'Bike', unit_price }] }),
    );
  const [late, later, dollars] = [
    await invoice(100, 'EUR'),
    await invoice(50, 'EUR'),
    await invoice(70, 'USD'),
  ];
  await invoice(999, 'EUR');
  expect(saidIn((await browser.get('/')).html, 'overdue')).toContain('Nothing is overdue.');
  await sql`update invoices set status = 'overdue', due_date = '2026-01-05' where id = ${later}`;
  await sql`update invoices set status = 'overdue', due_date = '2026-01-02' where id = ${late}`;
  await sql`update invoices set status = 'overdue', due_date = '2026-01-09' where id = ${dollars}`;
  const { html } = await browser.get('/');
  const said = saidIn(html, 'overdue');
  expect(said).toMatch(/€150\.00 .*70\.00 Invoices: 3/);
  expect(said).toMatch(/Tatra Bikes €100\.00, due 2 Jan .*€50\.00, due 5 Jan .*70\.00, due 9 Jan/);
  const leadsTo = listed((await browser.get(linkIn(html, 'overdue'))).html);
  for (const overdue of ['€100.00', '€50.00', '70.00']) expect(leadsTo).toContain(overdue);
  expect(leadsTo).not.toContain('€999.00');
  expect(await sql`select from invoices where organization_id = ${organization.id}`).toHaveLength(4);
});

describe('what is to be done today', () => {
  test('my due tasks are there, completed without leaving the page, and taken back', async () => {
    const { organization, browser, api } = await owner();
    await sql`update organizations set time_zone = 'Europe/Bratislava' where id = ${organization.id}`;
    const task = async (title: string, due_date: string | null, mine = true): Promise<string> =>
      idOf(await api.post('/tasks', { title, due_date, assignee_ids: mine ? [organization.ownerId] : [] }));
    const late = await task('Late', dayAfter(-3));
    await task('Due now', dayAfter(0));
    await task('Some day', dayAfter(9));
    await task('Whenever', null);
    await task('Of nobody', dayAfter(-1), false);
    const page = await browser.get('/');
    expect(saidIn(page.html, 'my-tasks')).toMatch(/Overdue: 1 Today: 1 Late .*Due now/);
    expect(saidIn(page.html, 'my-tasks')).not.toMatch(/Some day|Whenever|Of nobody/);
    const overdue = /class="counted" href="([^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const shown = listed((await browser.get(overdue)).html);
    expect(shown).toContain('Late');
    expect(shown).not.toMatch(/Due now|Of nobody/);

    const done = await browser.submit(page, `/tasks/${late}/complete`, {});
    expect(done.location).toBe(`/?completed=${late}`);
    const after = await browser.get(done.location ?? '');
    expect(textOf(after.html)).toContain('The task is completed.');
    expect(saidIn(after.html, 'my-tasks')).not.toContain('Late');
    const undone = await browser.submit(after, `/tasks/${late}/reopen`, {});
    expect(undone.location).toBe('/');
    expect(saidIn((await browser.get('/')).html, 'my-tasks')).toContain('Late');
  });

  test('bookings and activities of this day by the organization’s clock, and of no other', async () => {
    const { organization, browser, api } = await owner();
    await sql`update organizations set time_zone = 'Pacific/Auckland' where id = ${organization.id}`;
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Auckland' }).format(Date.now());
    const [{ at } = { at: '' }] = await sql<{ at: string }[]>`
      select (${day}::text::timestamp + interval '30 minutes') at time zone 'Pacific/Auckland' as at`;
    const before = new Date(Date.parse(at) - 3_600_000).toISOString();
    for (const [name, start_at] of [
      ['Call Eva', at],
      ['Yesterday’s call', before],
    ]) {
      await api.post('/activities', { name, start_at });
    }
    const service = crypto.randomUUID();
    await sql`
      insert into booking_services (organization_id, id, name, duration_minutes, currency, created_at, updated_at)
      values (${organization.id}, ${service}, 'Consultation', 60, 'EUR', now(), now())`;
    for (const [name, starts] of [
      ['Eva Šimková', at],
      ['Too early', before],
      ['Cancelled', at],
    ]) {
      await sql`
        insert into bookings (organization_id, id, status, source, starts_at, ends_at, service_id, customer_name,
                              created_at, updated_at)
        values (${organization.id}, gen_random_uuid(), ${name === 'Cancelled' ? 'cancelled' : 'confirmed'}, 'api',
                ${starts ?? ''}, ${starts ?? ''}::text::timestamptz + interval '1 hour', ${service}, ${name ?? ''}, now(), now())`;
    }
    const { html } = await browser.get('/');
    expect(saidIn(html, 'activities-today')).toMatch(/1 00:30 Call Eva/);
    expect(saidIn(html, 'activities-today')).not.toContain('Yesterday');
    expect(saidIn(html, 'bookings-today')).toMatch(/1 00:30 Eva Šimková/);
    expect(saidIn(html, 'bookings-today')).not.toMatch(/Too early|Cancelled/);
  });
});

describe('the first steps', () => {
  test('are put away by each person for themselves, and come back by a link', async () => {
    const { organization, browser } = await owner();
    const page = await browser.get('/');
    expect(page.html).toContain('id="guide"');
    const hidden = await browser.submit(page, '/guide/hide', {});
    expect(hidden.location).toBe('/?done=hidden');
    const after = await browser.get(hidden.location ?? '');
    expect(after.html).not.toContain('id="guide"');
    expect(textOf(after.html)).toContain('Hidden. The link at the bottom brings it back.');
    // Another owner still has them, and so does the same one in another browser not.
    const { browser: other } = await signedInUser(dealkeep, organization, { role: 'owner' });
    const again = new Browser(dealkeep);
    await again.signIn(organization);
    expect((await other.get('/')).html).toContain('id="guide"');
    const late: VisitedPage = await again.get('/');
    expect(late.html).not.toContain('id="guide"');
    await again.submit(late, '/guide/show', {});
    expect((await browser.get('/')).html).toContain('id="guide"');
    expect((await browser.post('/guide/hide', {})).status).toBe(403);
  });

  test('of the demo say that all is made up, and how to begin with one’s own; no other organization says so', async () => {
    const { organization, browser } = await owner();
    expect((await browser.get('/')).html).not.toContain('id="demo"');
    await sql`update organizations set slug = ${demoOrganization} where id = ${organization.id}`;
    const page = await browser.get('/');
    expect(saidIn(page.html, 'demo')).toMatch(
      /made up.*printed the login.*no terminal.*\.data\/demo-login.*organizations create.*users create/,
    );
    expect(saidIn((await browser.get('/?language=sk')).html, 'demo')).toContain('vymyslené');
    await browser.submit(page, '/guide/hide', {});
    expect((await browser.get('/')).html).not.toContain('id="demo"');
  });
});

test('the page asks the database no more than ten times, besides who asks', async () => {
  const { browser } = await owner();
  await browser.get('/');
  if (!line) throw new Error('Nothing stands between Dealkeep and its database');
  const asked = (await line.statementsOf(() => browser.get('/'))).filter(
    (statement) =>
      !/console_sessions|from revocations|rate_windows|^select 1$|^begin|^commit|deliveries_paused/.test(
        statement,
      ),
  );
  expect(asked.length, asked.map((each) => each.slice(0, 120)).join('\n')).toBeLessThanOrEqual(10);
});
