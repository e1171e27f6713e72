import { randomBytes } from 'node:crypto';
import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { ask, makeOrganization, startReadyHere } from './program.ts';
import { startTwoServers } from './two-servers.ts';

interface Page {
  data: { id: string; data: { id: string } }[];
  next_cursor: string;
  has_more: boolean;
}

/** A program on two servers, with somebody who writes and somebody who follows the feed. */
async function startFollowed({ isSynchronous }: { isSynchronous: boolean }) {
  const servers = await startTwoServers({ isSynchronous });
  const variables = { DATABASE_URL: servers.url, SECRETS_KEY: randomBytes(32).toString('base64') };
  const { token } = (await makeOrganization(variables)).key;
  const { origin } = await startReadyHere({ ...variables, ROLES: 'api' });
  /** Answers the id of a lead that was acknowledged; undefined when it was not. */
  const write = async (): Promise<string | undefined> => {
    const answer = await ask(origin, token, '/leads', { method: 'POST', body: '{"name":"Lead"}' });
    const body = await answer.text();
    expect([201, 503]).toContain(answer.status);
    return answer.status === 201 ? JSON.parse(body).data.id : undefined;
  };
  /** A page of the feed; undefined while nobody answers. */
  const read = async (query: Record<string, string>): Promise<Page | undefined> => {
    const answer = await ask(origin, token, `/events?${new URLSearchParams(query)}`);
    const body = await answer.text();
    expect([200, 503]).toContain(answer.status);
    return answer.status === 200 ? JSON.parse(body) : undefined;
  };
  return { servers, write, read };
}

class Reader {
  /** Ids of events, as they came. */
  readonly events: string[] = [];
  readonly leads: string[] = [];
  cursor: string | undefined;
  readonly #read: (query: Record<string, string>) => Promise<Page | undefined>;

  constructor(read: (query: Record<string, string>) => Promise<Page | undefined>) {
    this.#read = read;
  }

  /** Answers what came; undefined while nobody answers. */
  async go({ limit = '3', wait = '0' } = {}): Promise<Page | undefined> {
    const page = await this.#read({ limit, wait, ...(this.cursor ? { cursor: this.cursor } : {}) });
    if (!page) return undefined;
    this.events.push(...page.data.map(({ id }) => id));
    this.leads.push(...page.data.map(({ data }) => data.id));
    this.cursor = page.next_cursor;
    return page;
  }

  async goToEnd(): Promise<void> {
    for (;;) {
      const page = await this.go();
      if (page && page.data.length === 0 && !page.has_more) return;
    }
  }
}

test('a reader who follows through a fail-over to a standby that each commit waits for misses nothing that was acknowledged, and sees nothing twice', async () => {
  const { servers, write, read } = await startFollowed({ isSynchronous: true });
  const told: string[] = [];
  const over = new AbortController();
  const writing = Array.from({ length: 3 }, async () => {
    while (!over.signal.aborted) told.push(...[await write()].filter((id) => id !== undefined));
  });
  const reader = new Reader(read);
  const reading = (async () => {
    while (!over.signal.aborted) await reader.go({ wait: '1' });
  })();
  await eventually(() => expect(reader.events.length).toBeGreaterThan(10));
  await servers.killPrimary();
  await servers.promote();
  const [toldBefore, readBefore] = [told.length, reader.events.length];
  await eventually(() => {
    expect(told.length).toBeGreaterThan(toldBefore + 5);
    expect(reader.events.length).toBeGreaterThan(readBefore + 5);
  });
  over.abort();
  await Promise.all([...writing, reading]);
  await reader.goToEnd();
  const later = new Reader(read);
  await later.goToEnd();
  expect(reader.events).toEqual(later.events);
  expect(new Set(reader.events).size).toBe(reader.events.length);
  expect(told.filter((id) => !reader.leads.includes(id))).toEqual([]);
});

test('a reader who has read what a standby lacks that no commit waits for goes on with the cursor: what came shortly before is shown again, what is lost is not, and nothing is passed by', async () => {
  const { servers, write, read } = await startFollowed({ isSynchronous: false });
  const kept = [await write(), await write()];
  const replicated = () => servers.standby`select from events`;
  await eventually(async () => expect(await replicated()).toHaveLength(kept.length));
  await servers.endReplication();
  const lost = [await write(), await write()];
  const reader = new Reader(read);
  await reader.goToEnd();
  expect(reader.leads).toEqual([...kept, ...lost]);

  await servers.killPrimary();
  await servers.promote();
  const after: string[] = [];
  // As many as were lost take their places, and more.
  while (after.length < 4) after.push(...[await write()].filter((id) => id !== undefined));
  await reader.goToEnd();
  expect(reader.leads).toEqual([...kept, ...lost, ...kept, ...after]);
  const later = new Reader(read);
  await later.goToEnd();
  expect(later.leads).toEqual([...kept, ...after]);
});
