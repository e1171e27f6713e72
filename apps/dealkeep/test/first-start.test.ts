import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ask, demoLogin, ownFolder, postgresOf, startReadyHere } from './program.ts';

const run = promisify(execFile);

/** Runs the line in a shell where there is curl; else asks for the same. */
async function paste(line: string): Promise<unknown> {
  const curl = await run('bash', ['-c', 'command -v curl']).catch(() => undefined);
  if (curl) return JSON.parse((await run('bash', ['-c', `${line} --silent`])).stdout);
  const [, command = '', address = ''] = /-H "Authorization: Bearer \$\((.+)\)" '([^']+)'$/.exec(line) ?? [];
  const key = (await run('sh', ['-c', command])).stdout.trim();
  return (await fetch(address, { headers: { Authorization: `Bearer ${key}` } })).json();
}

test('the first start prints the addresses, where the login and the key are, and a line that works when pasted; a later one the addresses only (rules operator 1, 2, 3 and 14)', async () => {
  const dataDir = await ownFolder();
  const first = await startReadyHere({ DATA_DIR: dataDir });
  // No terminal reads this output, so that login and key are in a file of the operator's own.
  const file = await first.says(/^ +Login +(.+) \(with an API key; only you can read it\)$/m);
  expect([file, (await stat(file)).mode & 0o777]).toEqual([join(dataDir, 'demo-login'), 0o600]);
  const { email, password, key } = await demoLogin(dataDir);
  expect(key).toMatch(/^dk_live_[0-9A-Za-z]{43}$/);
  expect(password).not.toBe('');
  const { stdout, stderr } = first.heard();
  for (const secret of [password, key]) expect(stdout + stderr).not.toContain(secret);

  expect(await paste(await first.says(/^ +(curl .+)$/m))).toMatchObject({
    data: { length: 3 },
    has_more: true,
  });
  const console = await first.says(/^ +Console +(http\S+)$/m);
  const form = {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    redirect: 'manual',
  } as const;
  const signedIn = await fetch(`${console}/sign-in`, form);
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/']);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(await (await fetch(console, { headers: { cookie } })).text()).toContain('Tatra Studio (demo)');

  const [database = '', page = ''] = (
    await first.says(/^ +Database +(.+ \(docs\/backup\.md) tells how to back it up/m)
  ).split(' (');
  expect(database).toBe(join(dataDir, 'postgres'));
  for (const path of [join(database, 'PG_VERSION'), new URL(`../../../${page}`, import.meta.url)])
    await stat(path);

  const reference = await fetch(await first.says(/^ +Reference +(http\S+\/docs)$/m));
  expect([reference.status, reference.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  const companies = await (await ask(first.origin, key, '/companies?limit=20')).json();
  expect(companies).toMatchObject({ data: { length: 20 } });
  const leads = await (await ask(first.origin, key, '/leads?limit=1')).json();
  expect(leads).toMatchObject({ data: [{ app_url: expect.stringContaining(`${first.origin}/`) }] });
  for (const name of ['secrets-key', 'postgres.password']) {
    expect((await stat(join(dataDir, name))).mode & 0o077, `${name} is its owner's only`).toBe(0);
  }

  expect(await first.end('SIGINT')).toMatchObject({ code: 0, stderr: '' });
  expect(await postgresOf(dataDir), 'the database has ended, too').toBeUndefined();

  const later = await startReadyHere({ DATA_DIR: dataDir });
  expect(later.heard().stdout).not.toMatch(/curl|dk_|Password/);
  expect((await ask(later.origin, key, '/leads')).status).toBe(200);
  expect(await later.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  expect(await postgresOf(dataDir)).toBeUndefined();
});
