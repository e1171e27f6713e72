import { newSecretsKey, parseSecretsKey } from '@dealkeep/core/foundations';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import {
  dealkeep,
  type RunningCommand,
  startCommand,
  startCommandHere,
  startReady,
  startReadyHere,
  type Variables,
} from '../program.ts';
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

const listenTo = (origin: string, forwardTo: string): string[] => [
  ...['listen', '--forward-to', forwardTo, '--origin', origin, '--events', 'lead.created'],
];

const listen = (key: string, origin: string, forwardTo: string): RunningCommand =>
  startCommandHere([...listenTo(origin, forwardTo), '--key', key], {});

/** The same as a program, whose key is in the environment. */
const listenOutside = (key: string, origin: string, forwardTo: string): RunningCommand =>
  startCommand(listenTo(origin, forwardTo), { DEALKEEP_KEY: key });

/** How the first process that is listened to ends, and where each command runs. */
const endings = [
  [
    'SIGKILL',
    listenOutside,
    async (variables: Variables) => {
      const { origin, port, end } = await startReady(variables);
      return { origin, port, end: () => end('SIGKILL') };
    },
  ],
  [
    'SIGTERM',
    listen,
    async (variables: Variables) => {
      const { origin, port, end } = await startReadyHere(variables);
      return { origin, port, end: () => end('SIGTERM') };
    },
  ],
] as const;

test.each(endings)(
  'an API that ends by %s in the middle of a burst and comes back: each event is forwarded, and once',
  async (_, listening, start) => {
    const { variables, key, api } = await prepare();
    const local = await startLocalProgram();
    const first = await start(variables);
    const command = listening(key, first.origin, local.url);
    await command.says(/whsec_/);

    const names: string[] = [];
    const burst = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        names.push(`Lead ${names.length}`);
        await api.post('/leads', { name: names.at(-1) });
      }
    };
    const during = burst(60);
    await local.received(20);
    await first.end();
    await during;
    await burst(60);
    // A server that stops on request says so, and one that is back in time is never missed.
    await eventually(() => expect(command.heard().stderr).toMatch(/lost: .*\n/));
    await startReadyHere({ ...variables, PORT: first.port });
    await burst(10);
    await local.received(names.length);
    expect(local.posts.map(({ name }) => name).toSorted()).toEqual(names.toSorted());

    const { code, stderr } = await command.end('SIGINT');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^The connection to the server was lost: .*\nConnected again; nothing was missed\.\n$/,
    );
  },
);

test('the places of a process that was killed are free at once for another process', async () => {
  const { variables, key } = await prepare();
  const [one, other] = [await startReady(variables), await startReadyHere(variables)];
  const three = [1, 2, 3].map(() => listen(key, one.origin, 'localhost:1'));
  await Promise.all(three.map((each) => each.says(/whsec_/)));
  const refused = await dealkeep(
    ['listen', '--forward-to', 'localhost:1', '--origin', other.origin, '--key', key],
    {},
  );
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/already has 3 streams/) });
  await one.end('SIGKILL');
  await listen(key, other.origin, 'localhost:1').says(/whsec_/);
});
