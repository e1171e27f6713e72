import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Browser } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { beforeAllTests, ownDatabase, startReadyHere } from './program.ts';

const repository = join(import.meta.dirname, '..', '..', '..');
const password = 'a password of the reviewers';
let browser: Browser;
let program: Awaited<ReturnType<typeof startReadyHere>> | undefined;

/** Runs the block of commands of the page as it stands there, then starts the program on what they made. */
beforeAllTests(async () => {
  const page = await readFile(join(repository, 'docs', 'publishing-zapier.md'), 'utf8');
  const section = page.split('\n## ').find((each) => each.startsWith("The reviewer's account")) ?? '';
  const commands = /```sh\n(.+?)```/s.exec(section)?.[1] ?? 'exit 1';
  const variables = await ownDatabase();
  await promisify(execFile)('sh', ['-ec', commands], {
    cwd: repository,
    env: {
      ...variables,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      HOME: process.env['HOME'],
      PASSWORD: password,
      npm_config_offline: 'true',
    },
  });
  program = await startReadyHere(variables);
  browser = new Browser({ origin: program.origin });
});

test("Zapier's reviewers sign in with the password alone", async () => {
  const signedIn = await browser.fill('/sign-in', '/sign-in', {
    email: 'integration-testing@zapier.com',
    password,
  });
  expect(signedIn.location).toBe('/');
  expect((await browser.get('/')).html).toContain('Zapier Review');
});

test.each([
  'leads',
  'companies',
  'contacts',
  'clients',
  'activities',
  'tasks',
  'invoices',
  'bookings',
  'orders',
  'quotes',
])('they find %s to test with', async (kind) => {
  const { status, html } = await browser.get(`/${kind}`);
  expect(status).toBe(200);
  expect(html.match(/<tr>|<tr /g)?.length ?? 0).toBeGreaterThan(2);
});

test('they can do everything, as owners do, and change the password', async () => {
  expect((await browser.get('/settings/users')).status).toBe(200);
  expect((await browser.get('/settings/account/password')).html).toContain('autocomplete="new-password"');
});
