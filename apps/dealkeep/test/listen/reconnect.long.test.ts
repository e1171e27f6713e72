import { newSecretsKey, parseSecretsKey } from '@dealkeep/core';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { dealkeep, startCommand, startReady } from '../program.ts';
import { startLocalProgram } from './local-program.ts';

/** A database that several processes share, and an API of this process to write by. */
async function prepare() {
  const SECRETS_KEY = newSecretsKey();
  const { databaseUrl, createOrganization, as } = await startDealkeep({
    worker: false,
    secrets: parseSecretsKey(SECRETS_KEY),
  });
  const variables = { DATABASE_URL: databaseUrl, SECRETS_KEY, ROLES: 'api' };
  const { key } = await createOrganization();
  return { variables, key, api: as(key) };
}

const listen = (key: string, origin: string, forwardTo: string) =>
  startCommand(['listen', '--forward-to', forwardTo, '--origin', origin, '--events', 'lead.created'], {
    DEALKEEP_KEY: key,
  });

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'an API that ends by %s in the middle of a burst and comes back: each event is forwarded, and once',
  async (signal) => {
    const { variables, key, api } = await prepare();
    const local = await startLocalProgram();
    const first = await startReady(variables);
    const listening = listen(key, first.origin, local.url);
    await listening.says(/whsec_/);

    const names: string[] = [];
    const burst = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        names.push(`Lead ${names.length}`);
        await api.post('/leads', { name: names.at(-1) });
      }
    };
    const during = burst(60);
    await local.received(20);
    await first.end(signal);
    await during;
    await burst(60);
    // A server that stops on request says so, and one that is back in time is never missed.
    await eventually(() => expect(listening.heard().stderr).toMatch(/lost: .*\n/));
    await startReady({ ...variables, PORT: first.port });
    await burst(10);
    await local.received(names.length);
    expect(local.posts.map(({ name }) => name).toSorted()).toEqual(names.toSorted());

    const { code, stderr } = await listening.end('SIGINT');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^The connection to the server was lost: .*\nConnected again; nothing was missed\.\n$/,
    );
  },
);

test('the places of a process that was killed are free at once for another process', async () => {
  const { variables, key } = await prepare();
  const [one, other] = [await startReady(variables), await startReady(variables)];
  const three = [1, 2, 3].map(() => listen(key, one.origin, 'localhost:1'));
  await Promise.all(three.map((each) => each.says(/whsec_/)));
  const refused = await dealkeep(['listen', '--forward-to', 'localhost:1', '--origin', other.origin], {
    DEALKEEP_KEY: key,
  });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/already has 3 streams/) });
  await one.end('SIGKILL');
  await listen(key, other.origin, 'localhost:1').says(/whsec_/);
});
