import { Browser, ManualClock, ownerPassword, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

interface Page {
  data: unknown[];
  next_cursor: string | null;
}

const day = 24 * 3_600_000;
const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });

/** Carries something out with a clock that is a day ahead, and sets it back. */
async function aDayAhead<Result>(work: () => Promise<Result>): Promise<Result> {
  clock.advance(day);
  try {
    return await work();
  } finally {
    clock.advance(-day);
  }
}

test('whoever mistyped while the clock was a day ahead waits no longer than anybody else', async () => {
  const organization = await dealkeep.createOrganization();
  const { ownerEmail: email } = organization;
  const attempt = (password: string) => new Browser(dealkeep).post('/sign-in', { email, password });
  await aDayAhead(async () => {
    let answer = await attempt('wrong');
    for (let more = 0; more < 20 && answer.status !== 429; more += 1) answer = await attempt('wrong');
    expect(answer.status).toBe(429);
    expect((await attempt(ownerPassword)).status).toBe(429);
  });
  expect((await attempt(ownerPassword)).location).toBe('/');
});

test('a session of before or of meanwhile goes on when a clock that was a day ahead is back', async () => {
  const organization = await dealkeep.createOrganization();
  const before = new Browser(dealkeep);
  await before.signIn(organization);
  const ahead = new Browser(dealkeep);
  await aDayAhead(async () => {
    await ahead.signIn(organization);
    expect((await before.get('/')).status, 'nobody used it for a day').toBe(303);
  });
  expect((await before.get('/')).status).toBe(200);
  expect((await ahead.get('/')).status).toBe(200);
});

test('requests that were counted a day ahead are not counted when the clock is back', async () => {
  const organization = await dealkeep.createOrganization({ usualRateLimits: true });
  const api = dealkeep.as(organization.key);
  await aDayAhead(async () => {
    let answer = await api.get('/me');
    for (let more = 0; more < 2_000 && answer.status !== 429; more += 1) answer = await api.get('/me');
    expect(answer.status).toBe(429);
  });
  expect((await api.get('/me')).status).toBe(200);
  expect((await aDayAhead(() => api.get('/me'))).status).toBe(429);
});

test('a request that was answered a day ahead is answered alike when the clock is back, and makes nothing again', async () => {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key).with({ 'Idempotency-Key': 'ahead' });
  const first = await aDayAhead(() => api.post('/leads', { name: 'Once' }));
  expect((await api.post('/leads', { name: 'Once' })).data).toEqual(first.data);
  expect((await dealkeep.as(organization.key).get('/leads')).page.data).toHaveLength(1);
});

test('the feed and the pages of a list pass by nothing that was made while the clock jumped', async () => {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const create = (name: string) => api.post('/leads', { name });
  const names = ['before', 'ahead', 'between', 'ahead again', 'after'];
  for (const name of names) await (name.startsWith('ahead') ? aDayAhead(() => create(name)) : create(name));
  for (const path of ['/events?limit=2', '/leads?limit=2']) {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { data, next_cursor }: Page = (await api.get(cursor === '' ? path : `${path}&cursor=${cursor}`))
        .page;
      for (const each of data) seen.push(Object(each).name ?? Object(each).data.name);
      cursor = data.length > 0 ? next_cursor : null;
    }
    expect(seen.toSorted(), path).toEqual(names.toSorted());
    if (path.startsWith('/events')) expect(seen).toEqual(names);
  }
});
