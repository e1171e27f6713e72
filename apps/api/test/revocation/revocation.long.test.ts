import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { revokeApiKey, updateOrganization, updateUser } from '@dealkeep/core/accounts';
import { Secrets } from '@dealkeep/core/foundations';
import { Browser, connectedUser, eventually, startDealkeep, type TestOrganization } from '@dealkeep/testing';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { SeverableLine } from '../severable-line.ts';

const secretsKey = randomBytes(32);
const dealkeep = await startDealkeep({ worker: false, secrets: new Secrets([secretsKey]) });
const { core, sql, databaseUrl } = dealkeep;

/** Another process of the same installation; answers its address. */
async function startProcess(through = databaseUrl): Promise<string> {
  const program = fileURLToPath(new URL('./api-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, through, databaseUrl, secretsKey.toString('hex')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  afterAll(() => void child.stdin.end());
  const [port] = await once(createInterface(child.stdout), 'line');
  return `http://127.0.0.1:${port}`;
}

const origins = await Promise.all([startProcess(), startProcess()]);

interface Asked {
  readonly startedAt: number;
  readonly status: number;
}

/** Asks every process without a pause, several at once, until it is told to stop; answers all that was answered. */
function hammer(key: string): { asked: Asked[]; stop(): Promise<void> } {
  const asked: Asked[] = [];
  let stopped = false;
  const ask = async (origin: string): Promise<void> => {
    while (!stopped) {
      const startedAt = performance.now();
      const { status } = await fetch(`${origin}/api/v1/public/me`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      asked.push({ startedAt, status });
    }
  };
  const asking = origins.flatMap((origin) => Array.from({ length: 3 }, () => ask(origin)));
  const stop = async (): Promise<void> => {
    stopped = true;
    await Promise.all(asking);
  };
  // Also when the test fails.
  onTestFinished(stop);
  return { asked, stop };
}

/** The console of one of the processes, signed in as the owner; a form of it by its page and action. */
async function owner(organization: TestOrganization) {
  const browser = new Browser({ origin: origins[0] ?? '' });
  await browser.signIn(organization);
  return browser;
}

const ways: [
  what: string,
  status: number,
  revoke: (organization: TestOrganization, key: { id: string }) => Promise<() => Promise<unknown>>,
][] = [
  [
    'a key by a command',
    401,
    async (_organization, { id }) =>
      () =>
        revokeApiKey(core, id),
  ],
  [
    'a key in the console',
    401,
    async (organization, { id }) => {
      const browser = await owner(organization);
      const page = `/integrations/keys/${id}/revoke`;
      const form = await browser.get(page);
      return async () => expect((await browser.submit(form, page, {})).status).toBe(303);
    },
  ],
  [
    'a person by a command',
    422,
    async ({ ownerEmail }) =>
      () =>
        updateUser(core, ownerEmail, { active: false }),
  ],
  [
    'a subscription',
    402,
    async ({ slug }) =>
      () =>
        updateOrganization(sql, slug, { subscription: 'lapsed' }),
  ],
];

describe('what was revoked counts for the very next request of every process', () => {
  const check = async (token: string, refusal: number, act: () => Promise<unknown>): Promise<void> => {
    const { asked, stop } = hammer(token);
    await eventually(() => expect(asked.length).toBeGreaterThan(50));
    await act();
    const answeredAt = performance.now();
    const later = () => asked.filter(({ startedAt }) => startedAt > answeredAt);
    await eventually(() => expect(later().length).toBeGreaterThan(50));
    await stop();
    expect(new Set(later().map(({ status }) => status))).toEqual(new Set([refusal]));
    const before = asked.filter(({ startedAt }) => startedAt < answeredAt);
    expect(before.some(({ status }) => status === 200)).toBe(true);
  };

  test.each(ways)('%s', async (_what, refusal, revoke) => {
    const organization = await dealkeep.createOrganization();
    const key = await organization.createKey();
    await check(key.token, refusal, await revoke(organization, key));
  });

  test('a connection', async () => {
    const organization = await dealkeep.createOrganization();
    const person = await connectedUser(dealkeep, organization, 'leads.view=all');
    const browser = await owner(organization);
    const page = `/integrations/apps/${person.connectionId}/disconnect`;
    const form = await browser.get(page);
    await check(person.token, 401, async () =>
      expect((await browser.submit(form, page, {})).status).toBe(303),
    );
  });

  test('a process that cannot hear of revocations relies on nothing that it remembers', async () => {
    const line = new SeverableLine(databaseUrl);
    const cutOff = await startProcess(await line.url());
    const { key, keyId } = await dealkeep.createOrganization();
    const ask = async () => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`${cutOff}/api/v1/public/me`, { headers })).status;
    };
    expect(await ask()).toBe(200);
    await line.cut();
    await revokeApiKey(core, keyId);
    expect(await ask()).toBe(503);
    await line.mend();
    await expect.poll(ask).toBe(401);
    await line.cut();
  });
});

test('who is active again is let in by the very next request, too', async () => {
  const { key, ownerEmail } = await dealkeep.createOrganization();
  const statuses = () =>
    Promise.all(
      origins.map(async (origin) => {
        const headers = { Authorization: `Bearer ${key}` };
        return (await fetch(`${origin}/api/v1/public/me`, { headers })).status;
      }),
    );
  for (const [active, status] of [
    [false, 422],
    [true, 200],
    [false, 422],
  ] as const) {
    await updateUser(core, ownerEmail, { active });
    expect(await statuses()).toEqual([status, status]);
  }
});
