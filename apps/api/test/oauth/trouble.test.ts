import { inspect } from 'node:util';
import { connect } from '@dealkeep/core/foundations';
import { startDealkeep } from '@dealkeep/testing';
import { afterAll, expect, test } from 'vitest';
import { answeredWhileCut, SeverableLine } from '../severable-line.ts';
import { ask, consentingOwner } from './authorization-page.ts';
import { registerApp } from './connected-app.ts';

let line: SeverableLine | undefined;
const lines: unknown[] = [];
const write = (fields: object, sentence: string): void =>
  void lines.push(inspect([fields, sentence], { depth: 10, showHidden: true }));
const dealkeep = await startDealkeep({
  worker: false,
  log: { debug: write, info: write, warn: write, error: write },
  between: (url) => {
    line = new SeverableLine(url);
    return line.url();
  },
});
afterAll(() => line?.cut());
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);
const refresh = (refresh_token = '') => app.post({ grant_type: 'refresh_token', refresh_token });
const works = async (token = '') => (await dealkeep.as(token).get('/leads')).status === 200;

/** Waits until the database is reached again. */
async function mended(): Promise<void> {
  await line?.mend();
  const ready = async () => (await fetch(`${dealkeep.origin}/readyz`)).status;
  await expect.poll(ready).toBe(200);
}

test('while the database is gone everything is 503, never 401 or a token error, and no secret is logged; then all goes on (rule oauth 15)', async () => {
  const tokens = await app.connect(organization);
  const { form } = await app.grant(organization);
  const { parameters } = await app.request();
  const owner = await consentingOwner(dealkeep, organization);
  const page = await owner.open(parameters);
  await line?.cut();
  const asked = Promise.all([
    dealkeep.as(tokens.access_token).get('/leads'),
    dealkeep.as('dk_oat_unknown').get('/leads'),
    refresh(tokens.refresh_token),
    refresh('dk_ort_unknown'),
    app.post(form),
    app.post({ client_secret: 'wrong' }),
    app.post({ token: tokens.refresh_token }, '/oauth/revoke'),
    ask(dealkeep, parameters),
    owner.open(parameters),
    owner.decide(page, 'allow'),
  ]);
  for (const { status, headers } of await answeredWhileCut(asked)) {
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('www-authenticate')).toBeNull();
    expect(headers.get('location')).toBeNull();
  }
  const logged = lines.join();
  expect(logged).toContain('/oauth/authorize');
  for (const secret of [tokens.access_token, tokens.refresh_token, form['code'], parameters.get('state')]) {
    expect(logged).not.toContain(secret);
  }
  await mended();
  expect(await works(tokens.access_token)).toBe(true);
  expect((await app.post(form)).status).toBe(200);
  expect((await refresh(tokens.refresh_token)).status).toBe(200);
});

/** Cuts the line while a request waits for a lock that this test holds, and answers what the request was told. */
async function cutDuring<Result>(table: string, request: () => Promise<Result>): Promise<Result> {
  // Past the line: the lock is to outlive it.
  const direct = connect(dealkeep.databaseUrl, { connections: 2, name: 'test lock' });
  try {
    const { told } = await direct.begin(async (tx) => {
      await tx`lock table ${tx(table)} in exclusive mode`;
      const waiting = request();
      const blocked = async () => {
        const rows = await direct`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return rows.length;
      };
      await expect.poll(blocked).toBe(1);
      await line?.cut();
      return { told: await answeredWhileCut(waiting) };
    });
    return told;
  } finally {
    await direct.end();
    await mended();
  }
}

test.each(['oauth_connections', 'oauth_access_tokens', 'oauth_refresh_tokens'])(
  'a refresh that is killed before it writes to %s has done nothing: the same token can be used again',
  async (table) => {
    const tokens = await app.connect(organization);
    const told = await cutDuring(table, () => refresh(tokens.refresh_token));
    expect(told.status).toBe(503);
    const again = await refresh(tokens.refresh_token);
    expect(again.status).toBe(200);
    expect([await works(tokens.access_token), await works(again.body.access_token)]).toEqual([true, true]);
  },
);

test.each(['oauth_codes', 'oauth_connections', 'oauth_refresh_tokens'])(
  'a redemption that is killed before it writes to %s has done nothing: the same code can be used again',
  async (table) => {
    const { form } = await app.grant(organization);
    expect((await cutDuring(table, () => app.post(form))).status).toBe(503);
    const again = await app.post(form);
    expect(again.status).toBe(200);
    expect(await works(again.body.access_token)).toBe(true);
  },
);
