import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, createOrganization, createUser, updateOrganization } from '@dealkeep/core/accounts';
import { connect, systemClock } from '@dealkeep/core/foundations';
import { claimEnvironment } from '@dealkeep/core/installation';
import { Browser, eventually, type TestDatabase, testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import {
  ask,
  dealkeep,
  makeOrganization,
  password,
  result,
  startCommand,
  startReadyHere,
} from './program.ts';

const newKey = (): string => randomBytes(32).toString('base64');

/** An installation: its database and what its processes are told. */
interface Installation {
  database: TestDatabase;
  variables: Record<string, string> & { DATABASE_URL: string };
}

async function installation(key: string): Promise<Installation> {
  const database = await testDatabase();
  const { url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL } = database;
  const variables = {
    DATABASE_URL,
    DATABASE_OWNER_URL,
    SECRETS_KEY: key,
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
    LOG_LEVEL: 'warn',
  };
  return { database, variables };
}

/** Two installations; the second has keys of its own and knows that of the first. */
async function twoInstallations(): Promise<[Installation, Installation]> {
  const key = newKey();
  return [await installation(key), await installation(`${newKey()},${key}`)];
}

/** One more organization. Answers its key. */
async function organizationBeside({ variables }: Installation, slug: string): Promise<string> {
  const sql = connect(variables.DATABASE_URL, { connections: 1, name: 'test' });
  const operator = { sql, clock: systemClock, environment: 'live' as const };
  await claimEnvironment(sql, 'live');
  await createOrganization(operator, { name: slug, slug });
  await updateOrganization(sql, slug, { requestsPerMinute: 1_000_000, orgRequestsPerMinute: 1_000_000 });
  await createUser(operator, {
    organization: slug,
    name: 'Eva',
    email: `eva@${slug}.example`,
    role: 'owner',
    password,
  });
  const { token } = await createApiKey(operator, {
    organization: slug,
    name: 'Key',
    grant: { preset: 'automation' },
  });
  await sql.end();
  return token;
}

/** Takes webhooks: the ids of the events as they come. */
async function receiver(): Promise<{ url: string; events: string[] }> {
  const events: string[] = [];
  const server = createServer(async (request, response) => {
    events.push(JSON.parse(await text(request)).id);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, events };
}

interface Page {
  data: { id: string }[];
  next_cursor: string;
  has_more: boolean;
}

async function readFeed(
  origin: string,
  token: string,
  cursor: string | undefined,
): Promise<[string[], string]> {
  const ids: string[] = [];
  let at = cursor;
  for (;;) {
    const answer = await ask(origin, token, `/events?limit=100${at ? `&cursor=${at}` : ''}`);
    expect(answer.status).toBe(200);
    const page = (await answer.json()) as Page;
    ids.push(...page.data.map(({ id }) => id));
    at = page.next_cursor;
    if (!page.has_more) return [ids, at];
  }
}

const moveArguments = ({ database }: Installation, address: string): string[] => [
  ...['organizations', 'move', 'own', '--to', database.ownerUrl, '--new-address', address],
];

test('an organization moves under load: each record and each event is there once, and nobody else notices', async () => {
  const [first, second] = await twoInstallations();
  const { key } = await makeOrganization(first.variables);
  const beside = await organizationBeside(first, 'beside');
  const there = await organizationBeside(second, 'there');
  const [one, two] = await Promise.all([startReadyHere(first.variables), startReadyHere(second.variables)]);
  const hook = await receiver();
  const subscribed = await ask(one.origin, key.token, '/webhooks', {
    method: 'POST',
    body: JSON.stringify({ target_url: hook.url, events: ['lead.created'] }),
  });
  expect(subscribed.status).toBe(201);
  const create = (origin: string, token: string, name: string) =>
    fetch(`${origin}/api/v1/public/leads`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': name,
      },
      body: JSON.stringify({ name }),
    });

  // A client as it should be: it repeats on 503 with its key, and goes where it is told.
  let origin = one.origin;
  let running = true;
  let longestGap = 0;
  const refusals = new Set<string>();
  const made: { name: string; id: string }[] = [];
  const client = async (which: number): Promise<void> => {
    for (let number = 0; running; number += 1) {
      const name = `${which}-${number}`;
      const begun = performance.now();
      for (;;) {
        const answer = await create(origin, key.token, name);
        const body = JSON.parse(await answer.text());
        if (answer.status === 201) {
          made.push({ name, id: body.data.id });
          break;
        }
        expect([answer.status, body.error.code, answer.headers.has('retry-after')]).toEqual([
          503,
          'SERVICE_UNAVAILABLE',
          true,
        ]);
        refusals.add(body.error.message);
        const [, address] = /It is at (\S+) now/.exec(body.error.message) ?? [];
        if (address !== undefined) origin = address;
        await sleep(50);
      }
      longestGap = Math.max(longestGap, performance.now() - begun);
    }
  };
  const others: number[] = [];
  const other = async (at: string, token: string): Promise<void> => {
    for (let number = 0; running; number += 1) {
      others.push((await create(at, token, `other-${number}`)).status);
    }
  };
  const load = Promise.all([client(1), client(2), other(one.origin, beside), other(two.origin, there)]);
  try {
    await eventually(() => expect(made.length).toBeGreaterThan(20));
    const [before, cursor] = await readFeed(one.origin, key.token, undefined);
    const early = made[0];
    const moved = await result<{ paused_ms: number }>(moveArguments(second, two.origin), first.variables);
    const count = made.length;
    await eventually(() => expect(made.length).toBeGreaterThan(count + 20));
    running = false;
    await load;

    expect(origin).toBe(two.origin);
    expect([...refusals].some((each) => each.includes('being moved'))).toBe(true);
    expect(new Set(others)).toEqual(new Set([201]));
    const leads = await second.database.sql<{ id: string; name: string }[]>`
      select id, name from leads where organization_id = (select id from organizations where slug = 'own')`;
    expect(leads.map(({ name }) => name).sort()).toEqual(made.map(({ name }) => name).sort());
    expect(new Set(leads.map(({ id }) => id))).toEqual(new Set(made.map(({ id }) => id)));

    const [after] = await readFeed(two.origin, key.token, cursor);
    const feed = [...before, ...after];
    expect(new Set(feed).size).toBe(feed.length);
    const created = await second.database.sql<{ id: string }[]>`
      select id from events where type = 'lead.created'
        and organization_id = (select id from organizations where slug = 'own')`;
    expect(created).toHaveLength(made.length);
    for (const { id } of created) expect(feed).toContain(id);
    await eventually(() => expect(hook.events.length).toBeGreaterThanOrEqual(made.length));
    expect([...hook.events].sort()).toEqual(created.map(({ id }) => id).sort());

    // What was answered before is answered the same.
    const repeated = await create(two.origin, key.token, early?.name ?? '');
    expect(JSON.parse(await repeated.text()).data.id).toBe(early?.id);
    expect(moved.paused_ms).toBeLessThan(longestGap + 2000);

    const former = await ask(one.origin, key.token, '/me');
    expect([former.status, former.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await former.text()).toContain(`It is at ${two.origin} now.`);
    // People are told in words, once their password was right; there they sign in as ever.
    const signIn = async (origin: string, given: string) => {
      const browser = new Browser({ origin });
      const form = await browser.get('/sign-in');
      return browser.submit(form, '/sign-in', { email: 'lubo@own.example', password: given });
    };
    const told = await signIn(one.origin, password);
    expect([told.status, told.html.includes(`It is at ${two.origin} now.`)]).toEqual([503, true]);
    expect((await signIn(one.origin, 'a wrong password')).html).not.toContain(two.origin);
    expect((await signIn(two.origin, password)).status).toBe(303);
    const forget = ['organizations', 'forget', 'own'];
    expect((await dealkeep(forget, first.variables)).stderr).toContain('by --to, or --unchecked');
    const forgotten = await result([...forget, '--to', second.database.ownerUrl], first.variables);
    expect(forgotten).toMatchObject({ people: 1 });
    await eventually(async () => expect((await ask(one.origin, key.token, '/me')).status).toBe(401));
    expect((await ask(one.origin, beside, '/me')).status).toBe(200);
    const logged = `${one.heard().stdout}${two.heard().stdout}`;
    expect(
      logged.split('\n').filter((line) => line.includes('"level":"error"') || line.includes('"level":50')),
    ).toEqual([]);
  } finally {
    running = false;
    await load;
  }
});

test('a move that is killed at any moment leaves the organization whole in one place, and goes on when it is run again', async () => {
  const [first, second] = await twoInstallations();
  const { id } = await makeOrganization(first.variables);
  await organizationBeside(second, 'there');
  await Promise.all([startReadyHere(first.variables), startReadyHere(second.variables)]);
  await first.database.sql`
    insert into tags (organization_id, id, name, color, created_at, updated_at)
    select ${id}, gen_random_uuid(), 'Tag ' || n, 'blue', now(), now() from generate_series(1, 20000) n`;
  const change = (name: string) =>
    first.database.sql`update tags set color = ${name} where organization_id = ${id} and name like 'Tag 1%'`;
  const isThere = async () =>
    (await second.database.sql`select from organizations where id = ${id}`).length === 1;
  const hasLeft = async () =>
    (await first.database.sql`select from organizations where id = ${id} and moved_at is not null`).length ===
    1;

  const killedWhen = async (reached: () => Promise<boolean>): Promise<void> => {
    const command = startCommand(moveArguments(second, 'https://two.example'), first.variables);
    await eventually(async () => expect(await reached()).toBe(true));
    command.child.kill('SIGKILL');
    await command.ended;
    await eventually(async () => {
      const open = await second.database.sql`
        select from pg_stat_activity where application_name = 'move of an organization' or application_name = 'arrival of an organization'`;
      expect(open).toHaveLength(0);
    });
  };
  const isPaused = async () => (await first.database.sql`select from queue_pauses`).length === 1;
  const isFenced = async () =>
    (
      await first.database.sql`
      select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and objsubid = 1 and granted
        and pid in (select pid from pg_stat_activity where application_name = 'move of an organization')`
    ).length >= 2;
  for (const moment of [isPaused, isFenced]) {
    await killedWhen(moment);
    expect([await hasLeft(), await isThere()]).toEqual([false, false]);
    // It goes on here.
    await change(`Tag 1 ${moment.name}`).catch((error) => expect(error).toBeUndefined());
  }
  await killedWhen(hasLeft);
  expect(await hasLeft()).toBe(true);
  await expect(change('Tag x')).rejects.toMatchObject({ constraint_name: 'organization_moves' });

  const { stdout, code } = await dealkeep(
    [...moveArguments(second, 'https://two.example'), '--json'],
    first.variables,
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ organization: 'own', moved_to: 'https://two.example' });
  const tags = await second.database.sql`select from tags where organization_id = ${id}`;
  expect(tags).toHaveLength(20000);
  const again = await dealkeep(moveArguments(second, 'https://two.example'), first.variables);
  expect(again.stdout).toContain('own had moved already.');
  const takeBack = ['organizations', 'take-back', 'own', '--to', second.database.ownerUrl];
  const refused = await dealkeep(takeBack, first.variables);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('would be in both')]);
  expect(await result(['organizations', 'list'], first.variables)).toContainEqual(
    expect.objectContaining({ slug: 'own', moved_at: expect.any(String), moved_to: 'https://two.example' }),
  );
});
