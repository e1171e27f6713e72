import { disconnect, updateUser } from '@dealkeep/core/accounts';
import { connectedUser, ManualClock, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { registerApp } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core, sql } = dealkeep;
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);

const refresh = (refresh_token = '') => app.post({ grant_type: 'refresh_token', refresh_token });
const works = async (token = '') => (await dealkeep.as(token).get('/leads')).status === 200;
const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** How many requests wait for a lock in the database. */
async function waiting(count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const rows = await sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return rows.length;
      },
      { interval: 10 },
    )
    .toBe(count);
}

test('of two redemptions at the same instant one is answered, and the code counts as reused', async () => {
  const { code, form } = await app.grant(organization);
  const redemptions = await sql.begin(async (tx) => {
    // Both stand before the code until this lock goes.
    await tx`select 1 from oauth_codes where organization_id = ${organization.id} for update`;
    const both = [app.post(form), app.post(form)];
    await waiting(2);
    return { both };
  });
  const answers = await Promise.all(redemptions.both);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const tokens = answers.find(({ status }) => status === 200)?.body;
  expect(await works(tokens?.access_token)).toBe(false);
  expect(code).toMatch(/^dk_oac_/);
});

test('of two refreshes at the same instant both get the same answer, of one rotation', async () => {
  const tokens = await app.connect(organization);
  const { both } = await sql.begin(async (tx) => {
    await tx`select 1 from oauth_connections where organization_id = ${organization.id} for update`;
    const started = [refresh(tokens.refresh_token), refresh(tokens.refresh_token)];
    await waiting(2);
    return { both: started };
  });
  const [one, two] = await Promise.all(both);
  expect(one?.status).toBe(200);
  expect(two?.body).toEqual(one?.body);
  expect((await refresh(one?.body.refresh_token)).status).toBe(200);
});

test('a refresh during a revocation leaves no token behind, whichever comes first', async () => {
  await times(8, async () => {
    const tokens = await app.connect(organization);
    const [refreshed, revoked] = await Promise.all([
      refresh(tokens.refresh_token),
      app.post({ token: tokens.refresh_token }, '/oauth/revoke'),
    ]);
    expect(revoked?.status).toBe(200);
    expect([200, 400]).toContain(refreshed?.status);
    expect(await works(refreshed?.body.access_token ?? tokens.access_token)).toBe(false);
    expect((await refresh(refreshed?.body.refresh_token ?? tokens.refresh_token)).status).toBe(400);
  });
});

test('a refresh during a disconnection leaves no token behind', async () => {
  await times(8, async () => {
    const tokens = await app.connect(organization);
    const { data } = await dealkeep.as(tokens.access_token).get('/me');
    const [refreshed] = await Promise.all([
      refresh(tokens.refresh_token),
      disconnect(core, { organization: organization.id, id: data.token.id }),
    ]);
    expect(await works(refreshed?.body.access_token ?? tokens.access_token)).toBe(false);
  });
  const left = await sql`
    select 1 from oauth_refresh_tokens r
    join oauth_connections c on c.organization_id = r.organization_id and c.id = r.connection_id
    where c.ended_at is not null`;
  expect(left).toEqual([]);
});

test('a code that is redeemed while its person is being deactivated makes no connection that stays', async () => {
  for (const order of ['deactivated first', 'redeemed first']) {
    const company = await dealkeep.createOrganization();
    const { form } = await app.grant(company);
    const deactivate = () => updateUser(core, company.ownerEmail, { active: false });
    const { done } = await sql.begin(async (tx) => {
      await tx`select 1 from memberships where organization_id = ${company.id} for update`;
      const first = order === 'redeemed first' ? app.post(form) : deactivate();
      await waiting(1);
      const second = order === 'redeemed first' ? deactivate() : app.post(form);
      await waiting(2);
      return { done: [first, second] as const };
    });
    const redeemed = (await Promise.all(done)).find((each) => 'status' in each);
    expect([order, redeemed?.status]).toEqual([order, order === 'redeemed first' ? 200 : 400]);
    const living = await sql`
      select 1 from oauth_connections where organization_id = ${company.id} and ended_at is null`;
    expect([order, living]).toEqual([order, []]);
  }
});

test('forty refreshes of five connections at once rotate each once, and none is lost', async () => {
  const connections = await times(5, () => app.connect(organization));
  const answers = await times(40, (index) => refresh(connections[index % 5]?.refresh_token));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(5);
  const next = await times(5, (index) => refresh(answers[index]?.body.refresh_token));
  expect(next.every(({ status }) => status === 200)).toBe(true);
});

test('a token that comes again during its grace, many times at once, ends nothing; after it, everything', async () => {
  const tokens = await app.connect(organization);
  await refresh(tokens.refresh_token);
  clock.advance(59_999);
  const again = await times(5, () => refresh(tokens.refresh_token));
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
  clock.advance(2);
  const late = await times(5, () => refresh(tokens.refresh_token));
  expect(new Set(late.map(({ body }) => body.error))).toEqual(new Set(['invalid_grant']));
  expect(await works(again[0]?.body.access_token)).toBe(false);
});

test('a role that is narrowed counts from the next request on, also while others run', async () => {
  const person = await connectedUser(dealkeep, organization, 'leads.view=all');
  const api = dealkeep.as(person.token);
  expect((await api.get('/leads')).status).toBe(200);
  await person.permit({ 'leads.view': 'assigned' });
  const limited = await times(10, () => api.get('/leads'));
  expect(new Set(limited.map(({ outcome }) => outcome))).toEqual(new Set(['403 ROLE_SCOPE_LIMITED']));
  await person.permit({});
  expect((await api.get('/leads')).outcome).toBe('403 ROLE_PERMISSION_MISSING');
  await person.permit({ 'leads.view': 'all' });
  expect((await api.get('/leads')).status).toBe(200);
});
