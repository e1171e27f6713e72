import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createApi, serve } from '@dealkeep/api';
import { createConsole } from '@dealkeep/console';
import { createOAuthApp } from '@dealkeep/core/accounts';
import { startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { consentingOwner } from '../oauth/authorization-page.ts';

const guide = await readFile(new URL('../../../../docs/oauth.md', import.meta.url), 'utf8');

test('the program of the guide connects, refreshes and calls the API', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const organization = await dealkeep.createOrganization();
  // An installation whose public address is the one that it listens at.
  const core = { ...dealkeep.core, origin: '' };
  const server = await serve(createApi({ core, elsewhere: createConsole({ core }) }), {
    port: 0,
    host: '127.0.0.1',
  });
  onTestFinished(() => server.stop(1000));
  core.origin = `http://127.0.0.1:${server.port}`;
  const app = await createOAuthApp(core, {
    name: 'Acme Sync',
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: ['leads:read'],
  });

  const code = /```js\n(.*?)```/s.exec(guide)?.[1] ?? '';
  const program = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { DEALKEEP_ORIGIN: core.origin, CLIENT_ID: app.client_id, CLIENT_SECRET: app.client_secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void program.kill());
  const ended = once(program, 'close');
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  const address = new URL(String((await lines.next()).value));
  expect(address.origin + address.pathname).toBe(`${core.origin}/oauth/authorize`);
  const owner = await consentingOwner({ core, origin: core.origin }, organization);
  const page = await owner.open(address.searchParams);
  const { location = '' } = await owner.decide(page, 'allow');
  expect(await (await fetch(location)).text()).toBe('You can close this window.');
  expect((await lines.next()).value).toBe('Connected to Test organization for Jana Horváthová');
  expect(await ended).toEqual([0, null]);
});
